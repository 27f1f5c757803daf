/** Lengths and counts; the same figures are column sizes and form rules. */
export const LIMITS = {
  id: 36,
  /** Around a line of text; beyond it they count as part of the text. */
  spaces: 50,
  email: 255,
  password: 255,
  passwordMin: 6,
  /** The password of the first owner of an installation, who protects everybody else. */
  ownerPasswordMin: 10,
  name: 100,
  linkedInUrl: 1000,
  description: 10_000,
  title: 255,
  /** Why an event is cancelled, or what the organiser adds to the mail about a change. */
  note: 500,
  location: 255,
  /** Web addresses that events carry. */
  url: 1000,
  venueName: 150,
  /** How one pays for an event. */
  paymentNote: 300,
  /** The title of an item of the agenda, and as short elsewhere. */
  agendaTitle: 150,
  /** What a picture shows, in words. */
  alt: 250,
  /** What is said of a speaker. */
  bio: 1000,
  /** What organisers write to the people of an event, and how many people they may choose one by one. */
  messageSubject: 150,
  messageBody: 10_000,
  messageChosen: 500,
  /** What somebody writes to the host of an event. */
  hostMessageMin: 10,
  hostMessage: 2_000,
  /** Topics of a community, and of one event. */
  topics: 12,
  eventTopics: 3,
  topicName: 40,
  topicSlug: 40,
  /** The address of an event; that of an unlisted one ends in 8 random characters and a hyphen before them. */
  eventSlugMin: 3,
  eventSlug: 80,
  /** Rows of a file of chosen guests. */
  guestsChosen: 500,
  /** Counts in one event. */
  hosts: 10,
  /** Events in one question for faces: a page of cards several times over. */
  facesOf: 60,
  agenda: 50,
  gallery: 8,
  speakers: 30,
  resources: 20,
  /** Asked of those who register. */
  questions: 10,
  questionLabel: 150,
  /** Options of a question with a choice. */
  optionsMin: 2,
  options: 10,
  optionLabel: 100,
  /** An answer in text. */
  answer: 500,
  /** Items that a phone at the door sends in one call. */
  doorItems: 500,
  /** Largest price that is accepted, in the community's currency. */
  priceMax: 1_000_000,
  capacityMax: 1_000_000,
  /** Open proposals of one person at a time. */
  openProposals: 3,
  search: 200,
  /** The landing page's heading and the sentence under it. */
  headline: 120,
  tagline: 300,
  /** A community's terms or privacy page, in Markdown. */
  legalPage: 20_000,
  sponsors: 12,
  /** Shortest part of a name that members are looked for by. */
  memberSearchMin: 2,
  pageSizeMax: 100,
  /** Items of a list that is asked for without a limit; the rest of it comes by `Link: rel="next"`. */
  listMax: 1_000,
  /** A cursor holds the sort key of a row: two names of four-byte characters at most. */
  cursor: 2_000,
  resetCode: 6,
  generatedPassword: 8,
  /** The name of a second factor. */
  factorName: 60,
} as const;

/** Milliseconds after which the browser gives a call up: after the servers have. By itself, as pages carry whole objects. */
export const BROWSER_DEADLINE = 15_000;

/** Milliseconds. Each layer gives up before the one above it does. */
export const DEADLINES = {
  gateway: 5_000,
  call: 3_000,
  statement: 2_500,
  lock: 2_000,
  poolWait: 1_000,
  redisCommand: 1_000,
} as const;

export const PICTURES = {
  /** Bytes of a decoded upload. */
  maxBytes: 5 * 1024 * 1024,
  maxPixels: 16_000_000,
  /** Pixels in formats that are unpacked as a whole before a line of them can be used: AVIF, interlaced PNG, progressive JPEG. */
  maxPixelsAtOnce: 4_000_000,
  /** Bytes of all frames, unpacked. */
  maxUnpacked: 64 * 1024 * 1024,
  /** Bytes of a re-encoded picture: what may travel in a message. */
  maxStoredBytes: 350 * 1024,
  avatarSize: 512,
  bannerWidth: 1600,
  /** The longest side of the logos of a community and its sponsors, which are not enlarged. */
  logoSize: 512,
} as const;

export const SESSION = {
  cookie: 'meetmark_session',
  /** Milliseconds without a request after which a session ends. */
  idle: 7 * 24 * 3_600_000,
  /** Milliseconds after which a session ends however busy it is. */
  absolute: 30 * 24 * 3_600_000,
  /** A session's expiry moves at most this often (milliseconds), so that reads do not write. */
  touchEvery: 3_600_000,
} as const;

/** Codes that are mailed. Times in milliseconds. */
export const CODE = {
  lifetime: 10 * 60_000,
  /** A link that verifies the address of an account may wait for the next day. */
  verifyLinkLifetime: 24 * 3_600_000,
  tries: 5,
  /** Tries of a code that an administrator sends, which any browser may use: five for each network. */
  triesAnywhere: 20,
  /** Open codes of one address within a day beyond which mails carry the link alone. */
  openPerDay: 19,
  /** Mails to one address within half an hour beyond which they are spaced. */
  quickMails: 5,
  mailsApart: 2 * 60_000,
} as const;

export const SECOND_FACTOR = {
  /** Milliseconds between the first and the second step of a sign-in. */
  pendingLife: 10 * 60_000,
  /** Tries of one pending sign-in. */
  attempts: 5,
  /** Wrong authenticator codes of an account within a day after which only passkeys and recovery codes are taken. */
  wrongCodesPerDay: 100,
  /** Milliseconds in which a new factor has to be confirmed. */
  setupLife: 15 * 60_000,
  /** Milliseconds after a sign-in in which dangerous actions need no further proof. */
  freshFor: 10 * 60_000,
  recoveryCodes: 10,
  /** Factors of one account. */
  max: 10,
} as const;
/** Milliseconds in which a changed address can be taken back from the old one. */
export const EMAIL_REVERT_LIFETIME = 72 * 3_600_000;
/** Milliseconds that a new address is shown as pending. */
export const PENDING_EMAIL_LIFETIME = 24 * 3_600_000;

/** Milliseconds after the end of an event in which members see who came. */
export const ATTENDEES_SHOWN = 30 * 24 * 3_600_000;

/** Messages to hosts within 24 hours, and the milliseconds after the end of an event in which its host takes some. */
export const HOST_MESSAGES = { ofWriter: 3, ofHost: 20, takenAfter: 30 * 24 * 3_600_000 } as const;

/** Upcoming events that a member may be registered for whose address is not verified. */
export const UNVERIFIED_PLACES = 5;

/** Places of one event with a capacity that members of one network hold together whose addresses are not verified. */
export const UNPROVED_PLACES_OF_NETWORK = 2;

export const ACTIVITY_DAYS = 7;
/** Seconds between a change of the registrations and the roll-up that shows it. */
export const ROLL_UP_AFTER = 5;
export const STATISTICS_DAYS = 30;
export const UPCOMING_SHOWN = 3;

/** Milliseconds an Idempotency-Key is remembered. */
export const IDEMPOTENCY_LIFETIME = 24 * 3_600_000;

/** Milliseconds within which a phone can take a check-in back, between its two moments; afterwards those who manage the event can. */
export const DOOR_UNDO_WITHIN = 10_000;

/** Addresses that one door link may name within 24 hours for guests who are not on the list: each gets a mail. */
export const DOOR_MAILS = 20;

/** Milliseconds before the start from which guests may check themselves in. */
export const SELF_CHECK_IN_BEFORE = 2 * 3_600_000;
