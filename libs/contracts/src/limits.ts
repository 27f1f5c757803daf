/** Database columns and forms use the same limits. */
export const LIMITS = {
  id: 36,
  /**
   * Maximum number of whitespace characters that are trimmed around a text. Longer whitespace counts as text.
   */
  spaces: 50,
  email: 255,
  password: 255,
  passwordMin: 6,
  /** Only for the setup. Longer than `passwordMin`, because the first owner's account controls all others. */
  ownerPasswordMin: 10,
  name: 100,
  linkedInUrl: 1000,
  description: 10_000,
  title: 255,
  note: 500,
  location: 255,
  url: 1000,
  venueName: 150,
  paymentNote: 300,
  agendaTitle: 150,
  alt: 250,
  bio: 1000,
  messageSubject: 150,
  messageBody: 10_000,
  messageChosen: 500,
  messagesPerDay: 3,
  hostMessageMin: 10,
  hostMessage: 2_000,
  topics: 12,
  eventTopics: 3,
  topicName: 40,
  topicSlug: 40,
  /** Doesn't include the hyphen and 8 random characters at the end of an unlisted event's slug. */
  eventSlugMin: 3,
  eventSlug: 80,
  guestsChosen: 500,
  hosts: 10,
  /** Events per request. Enough for several pages of cards. */
  facesOf: 60,
  agenda: 50,
  gallery: 8,
  speakers: 30,
  resources: 20,
  questions: 10,
  questionLabel: 150,
  optionsMin: 2,
  options: 10,
  optionLabel: 100,
  answer: 500,
  doorItems: 500,
  priceMax: 1_000_000,
  capacityMax: 1_000_000,
  drafts: 200,
  openProposals: 3,
  doorLinks: 20,
  search: 200,
  headline: 120,
  tagline: 300,
  legalPage: 20_000,
  sponsors: 12,
  memberSearchMin: 2,
  pageSizeMax: 100,
  /** Items in a response without a `limit` parameter. The header `Link: rel="next"` leads to the rest. */
  listMax: 1_000,
  /** Fits the longest sort key of a cursor: two names in four-byte characters. */
  cursor: 2_000,
  /** Number of digits of every emailed code. */
  resetCode: 6,
  generatedPassword: 8,
  factorName: 60,
} as const;

/** Four digits, as calendars and browsers expect. */
export const YEARS = { first: 1900, last: 2999 } as const;

/**
 * Milliseconds. Longer than the servers' deadlines. Not in DEADLINES, so that web pages don't contain the
 * servers' deadlines.
 */
export const BROWSER_DEADLINE = 15_000;

/** Milliseconds. A caller always waits longer than the layer that it calls. */
export const DEADLINES = {
  gateway: 5_000,
  call: 3_000,
  statement: 2_500,
  lock: 2_000,
  poolWait: 1_000,
  redisCommand: 1_000,
} as const;

export const PICTURES = {
  /** Size after decoding base64. */
  maxBytes: 5 * 1024 * 1024,
  maxPixels: 16_000_000,
  /** Maximum for formats that are decoded as a whole: AVIF, interlaced PNG, progressive JPEG. */
  maxPixelsAtOnce: 4_000_000,
  /** Maximum bytes of all decoded frames together. */
  maxUnpacked: 64 * 1024 * 1024,
  /** A re-encoded image must fit into one message between processes. */
  maxStoredBytes: 350 * 1024,
  avatarSize: 512,
  bannerWidth: 1600,
  /** Longest side in pixels. Smaller logos aren't enlarged. */
  logoSize: 512,
} as const;

export const SESSION = {
  cookie: 'meetmark_session',
  /** Milliseconds without a request until a session ends. */
  idle: 7 * 24 * 3_600_000,
  /** Milliseconds until a session ends, even if it is in use. */
  absolute: 30 * 24 * 3_600_000,
  /** Milliseconds between extensions of a session, so that not every request writes to it. */
  touchEvery: 3_600_000,
} as const;

/** Times are in milliseconds. */
export const CODE = {
  lifetime: 10 * 60_000,
  verifyLinkLifetime: 24 * 3_600_000,
  tries: 5,
  /**
   * Attempts in total for an administrator's reset code, which works in any browser. Each network can use up
   * to `tries` of them.
   */
  triesAnywhere: 20,
  /** Unconfirmed codes per mailbox in 24 hours. Further emails contain only the link. */
  openPerDay: 19,
  /**
   * Emails to one mailbox within half an hour. Each lane (a known browser or network) has its own count.
   * Further emails are sent at least `mailsApart` after the previous one.
   */
  quickMails: 5,
  mailsApart: 2 * 60_000,
} as const;

/** Limits of emails that one person causes for another. Counted per kind, event and email address. */
export const EVENT_MAILS = {
  perDay: 3,
  /** Replaces `perDay` if the event starts before `perDay` would allow another email. */
  perDayBeforeStart: 10,
  /** Minutes between emails if `perDayBeforeStart` applies. */
  apart: 20,
  /**
   * A deferred email is sent this many minutes before the start, or `apart` minutes after the previous email,
   * whichever is later.
   */
  beforeStart: 60,
} as const;

export const SECOND_FACTOR = {
  /** Milliseconds to complete a sign-in. */
  pendingLife: 10 * 60_000,
  attempts: 5,
  /** Per account. Above this limit, only passkeys and recovery codes work. */
  wrongCodesPerDay: 100,
  /** Milliseconds to confirm a new factor. */
  setupLife: 15 * 60_000,
  recoveryCodes: 10,
  max: 10,
} as const;

/** Maximum milliseconds since the last sign-in or confirmation of identity. */
export const FRESH_SIGN_IN = {
  /** For changing second factors, email addresses or community settings. */
  sensitive: 10 * 60_000,
  /** For deleting an account, setting a password, changing a role, or exporting users. */
  administration: 2 * 3_600_000,
} as const;
export type FreshSignInFor = keyof typeof FRESH_SIGN_IN;

/** Milliseconds to restore the previous address. */
export const EMAIL_REVERT_LIFETIME = 72 * 3_600_000;
/** Milliseconds to confirm a new address. */
export const PENDING_EMAIL_LIFETIME = 24 * 3_600_000;

/** Milliseconds after an event during which visitors can see its public attendees. */
export const PUBLIC_ATTENDEES_VISIBLE = 30 * 24 * 3_600_000;

/**
 * `ofWriter` and `ofHost` count messages in 24 hours. Hosts accept messages until `takenAfter` milliseconds
 * after the event.
 */
export const HOST_MESSAGES = { ofWriter: 3, ofHost: 20, takenAfter: 30 * 24 * 3_600_000 } as const;

export const ACTIVITY_DAYS = 7;
/** Seconds until the activity statistics include a registration. */
export const ROLL_UP_AFTER = 5;
export const STATISTICS_DAYS = 30;
export const UPCOMING_SHOWN = 3;

/** Milliseconds. */
export const IDEMPOTENCY_LIFETIME = 24 * 3_600_000;

/** Milliseconds after a check-in. Later, only managers can undo it. */
export const DOOR_UNDO_WITHIN = 10_000;

/** Emails per door link in 24 hours. Each walk-in with an email address gets one. */
export const DOOR_MAILS = 20;

/** Self-check-in opens this many milliseconds before the event's start. */
export const SELF_CHECK_IN_BEFORE = 2 * 3_600_000;

/** Meetmark sends no email to demo members. */
export const DEMO_MEMBER_DOMAIN = 'members.example';
