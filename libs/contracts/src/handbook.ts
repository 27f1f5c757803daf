/*
 * The handbook, docs/handbook: its parts, its languages, what the build makes of its text (web/scripts/handbook.ts), and which section
 * explains which panel.
 */

/** Each is a file of Markdown in each language. */
export const HANDBOOK_PARTS = ['members', 'organisers', 'admins'] as const;
export type HandbookPart = (typeof HANDBOOK_PARTS)[number];

/** The first is read where none of the others is spoken. */
export const HANDBOOK_LANGUAGES = ['en', 'de'] as const;
export type HandbookLanguage = (typeof HANDBOOK_LANGUAGES)[number];

/** Whether it is the language of such a page. */
export const isReadIn = (language: HandbookLanguage, tag: string) => language === tag.split('-', 1)[0];

/** The language in which it is read on a page of this language. */
export const handbookLanguage = (tag: string): HandbookLanguage =>
  HANDBOOK_LANGUAGES.find((language) => isReadIn(language, tag)) ?? HANDBOOK_LANGUAGES[0];

/** Where a browser finds its text. */
export const handbookFile = (language: HandbookLanguage) => `/help/${language}.json`;

export interface HandbookSection {
  /** The same in each language: addresses end in it. */
  id: string;
  title: string;
  html: string;
}

export interface HandbookPage {
  part: HandbookPart;
  /** Of its heading. */
  id: string;
  title: string;
  /** What it is about, in a line. */
  summary: string;
  /** Before the first section. */
  html: string;
  sections: HandbookSection[];
}

/** The whole text in one language. */
export interface Handbook {
  language: HandbookLanguage;
  title: string;
  summary: string;
  pages: HandbookPage[];
  /** Below the list of pages. */
  end: string;
}

/** The panels that have a '?', and the section that explains each. */
export const HELP = {
  profileMails: 'members#choose-your-mails',
  calendarFeed: 'members#keep-your-calendar-up-to-date',
  visibility: 'members#decide-who-sees-that-you-are-coming',
  follows: 'members#follow-topics',
  security: 'members#protect-your-account',
  attendees: 'members#decide-who-sees-that-you-are-coming',
  eventWhat: 'organisers#say-what-it-is-about',
  eventWhen: 'organisers#say-when-it-is',
  eventWhere: 'organisers#say-where-it-is',
  eventPlaces: 'organisers#count-places-and-name-a-price',
  eventQuestions: 'organisers#ask-questions',
  eventContent: 'organisers#fill-the-page',
  eventCover: 'organisers#choose-a-cover',
  eventPublishing: 'organisers#publish-an-event',
  eventAddress: 'organisers#publish-an-event',
  eventOverview: 'organisers#see-how-it-is-going',
  eventEnding: 'organisers#cancel-an-event',
  events: 'organisers#change-an-event',
  guests: 'organisers#look-after-the-guests',
  messages: 'organisers#message-who-comes-or-who-waits',
  door: 'organisers#let-people-check-in',
  selfCheckIn: 'organisers#let-people-check-in',
  pictures: 'organisers#afterwards',
  proposals: 'organisers#answer-proposals',
  figures: 'admins#read-the-figures',
  firstMonth: 'admins#the-first-month',
  users: 'admins#give-somebody-a-role',
  system: 'admins#look-after-mails-and-backups',
  look: 'admins#make-it-your-own',
  region: 'admins#set-place-and-language',
  contact: 'admins#name-who-writes-and-who-answers',
  eventRules: 'admins#decide-what-members-may-do',
  sponsors: 'admins#thank-sponsors',
  legalPages: 'admins#write-terms-and-privacy',
  topics: 'admins#keep-the-topics',
  audit: 'admins#see-what-happened',
} as const satisfies Record<string, `${HandbookPart}#${string}`>;
export type HelpPanel = keyof typeof HELP;
