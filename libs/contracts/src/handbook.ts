/** Each part is one Markdown file per language (docs/handbook). */
export const HANDBOOK_PARTS = ['members', 'organisers', 'admins'] as const;
export type HandbookPart = (typeof HANDBOOK_PARTS)[number];

export const HANDBOOK_LANGUAGES = ['en', 'de'] as const;
export type HandbookLanguage = (typeof HANDBOOK_LANGUAGES)[number];

export const isReadIn = (language: HandbookLanguage, tag: string) => language === tag.split('-', 1)[0];

export const handbookLanguage = (tag: string): HandbookLanguage =>
  HANDBOOK_LANGUAGES.find((language) => isReadIn(language, tag)) ?? HANDBOOK_LANGUAGES[0];

export const handbookFile = (language: HandbookLanguage) => `/help/${language}.json`;

export interface HandbookSection {
  id: string;
  title: string;
  html: string;
}

export interface HandbookPage {
  part: HandbookPart;
  id: string;
  title: string;
  summary: string;
  html: string;
  sections: HandbookSection[];
}

export interface Handbook {
  language: HandbookLanguage;
  title: string;
  summary: string;
  pages: HandbookPage[];
  end: string;
}

export const HELP = {
  profileMails: 'members#choose-your-emails',
  calendarFeed: 'members#add-your-events-to-your-calendar',
  visibility: 'members#choose-who-sees-that-you-are-coming',
  follows: 'members#follow-topics',
  security: 'members#protect-your-account',
  deleteAccount: 'members#delete-your-account',
  attendees: 'members#choose-who-sees-that-you-are-coming',
  eventWhat: 'organisers#describe-your-event',
  eventWhen: 'organisers#set-the-date-and-time',
  eventWhere: 'organisers#set-the-location',
  eventPlaces: 'organisers#limit-the-number-of-guests-and-set-a-price',
  eventQuestions: 'organisers#ask-guests-questions',
  eventContent: 'organisers#add-an-agenda-hosts-and-speakers',
  eventCover: 'organisers#choose-a-cover',
  eventPublishing: 'organisers#publish-an-event',
  eventAddress: 'organisers#publish-an-event',
  eventOverview: 'organisers#see-how-registrations-are-going',
  eventEnding: 'organisers#cancel-an-event',
  events: 'organisers#change-an-event',
  guests: 'organisers#manage-your-guests',
  messages: 'organisers#message-your-guests',
  door: 'organisers#check-in-guests',
  selfCheckIn: 'organisers#check-in-guests',
  pictures: 'organisers#share-images-and-slides-afterwards',
  proposals: 'organisers#answer-proposals',
  figures: 'admins#read-the-figures',
  firstMonth: 'admins#complete-the-first-month',
  users: 'admins#give-someone-a-role',
  system: 'admins#check-emails-and-backups',
  look: 'admins#change-the-look-of-your-site',
  region: 'admins#set-the-time-zone-currency-and-languages',
  contact: 'admins#set-the-sender-and-contact-address',
  eventRules: 'admins#decide-what-members-may-do',
  adminSecurity: 'admins#protect-your-account',
  sponsors: 'admins#thank-sponsors',
  legalPages: 'admins#write-terms-and-privacy',
  retention: 'admins#delete-old-data',
  topics: 'admins#manage-topics',
  audit: 'admins#see-what-happened',
} as const satisfies Record<string, `${HandbookPart}#${string}`>;
export type HelpPanel = keyof typeof HELP;
