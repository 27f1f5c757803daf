import type { EventFields } from './event-changes.js';
import type { ContentValue, EventContent } from './event-content.js';
import type { ListedEventFields } from './events.js';
import type { NotifiedChange } from './jobs.js';

/** What a field of an event's form is, beside its rule. */
interface Field {
  /** `lists`: every answer has it, `page`: that about the event alone. */
  on: 'lists' | 'page';
  /** What counts until it is filled in; a required field has none. */
  empty?: unknown;
  isMoment?: true;
  /** Of the page: one text that may be empty, stored as it is typed. */
  isText?: true;
  /**
   * What a mail to people with a place calls a change of it. `details`: the mail is sent if the organiser asks for it; null: there is none.
   */
  told: NotifiedChange | null;
  /** Whether the calendar entry shows it. */
  inEntry?: true;
  /** Whether the audit log keeps its value, and not its name alone. */
  audited?: true;
  /** The columns whose change is a change of it, where they are not the one of its name. None: another table has it. */
  columns?: readonly string[];
}

/**
 * The fields that organisers edit, under the names that the API has. Who adds one says here what it is and there what it takes
 * (`EventFields`, or `EventContentFields` for what only the page shows); one without the other does not compile.
 */
export const EVENT_FIELDS = {
  title: { on: 'lists', told: 'title', inEntry: true, audited: true },
  description: { on: 'lists', empty: null, told: 'details', inEntry: true },
  descriptionFormat: { on: 'lists', empty: 'plain', told: 'details', inEntry: true },
  startDate: { on: 'lists', isMoment: true, told: 'time', inEntry: true, audited: true },
  endDate: { on: 'lists', isMoment: true, told: 'time', inEntry: true, audited: true },
  location: { on: 'lists', empty: null, told: 'location', inEntry: true },
  format: { on: 'lists', empty: 'in_person', told: 'location', inEntry: true },
  price: { on: 'lists', empty: null, told: 'price' },
  paymentNote: { on: 'lists', empty: null, told: 'details' },
  capacity: { on: 'lists', empty: null, told: 'details', audited: true },
  isAllDay: { on: 'lists', empty: false, told: 'time', inEntry: true },
  // people with a place hear of moments that move
  timeZone: { on: 'lists', empty: null, told: 'details', inEntry: true, audited: true },
  bannerImageUrl: { on: 'lists', empty: null, told: 'details', columns: ['banner_hash'] },
  coverPattern: { on: 'lists', empty: null, told: 'details' },
  // how a picture is cut is no news
  coverSquare: { on: 'lists', empty: null, told: null },
  coverWide: { on: 'lists', empty: null, told: null },
  waitlistEnabled: { on: 'lists', empty: true, told: null },
  visibility: { on: 'lists', empty: 'public', told: null },
  publishAt: { on: 'lists', empty: null, isMoment: true, told: null },
  registrationOpensAt: { on: 'lists', empty: null, isMoment: true, told: 'details' },
  registrationClosesAt: { on: 'lists', empty: null, isMoment: true, told: 'details' },
  venue: {
    on: 'page',
    empty: null,
    told: 'location',
    inEntry: true,
    columns: ['venue_name', 'venue_address', 'venue_note', 'venue_map_url'],
  },
  onlineUrl: { on: 'page', empty: null, isText: true, told: 'online', inEntry: true },
  onlineNote: { on: 'page', empty: null, isText: true, told: 'details', inEntry: true },
  accessibility: { on: 'page', empty: null, isText: true, told: 'accessibility' },
  hosts: { on: 'page', empty: [], told: 'details', columns: ['hosts_edits'] },
  coHosts: { on: 'page', empty: [], told: null, columns: [] },
  topics: { on: 'page', empty: [], told: null, columns: [] },
  agenda: { on: 'page', empty: [], told: 'details' },
  speakers: { on: 'page', empty: [], told: 'details', columns: ['speakers_edits'] },
  resources: { on: 'page', empty: [], told: 'details' },
  recap: { on: 'page', empty: null, isText: true, told: 'details' },
  questions: { on: 'page', empty: [], told: null },
} as const satisfies Record<keyof EventFields | 'bannerImageUrl', Field>;

export type EventFieldName = keyof typeof EVENT_FIELDS;

/** The fields of which something holds, in their order. */
export const eventFields = (holds: (field: Field) => boolean): EventFieldName[] =>
  (Object.keys(EVENT_FIELDS) as EventFieldName[]).filter((name) => holds(EVENT_FIELDS[name]));

/** Of `events.events` or `events.event_contents`. */
export const columnsOf = (name: EventFieldName): readonly string[] =>
  (EVENT_FIELDS[name] as Field).columns ?? [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ];

/** What counts for those of the fields that are not filled in. */
export const emptyFields = (holds: (field: Field) => boolean): Partial<Record<EventFieldName, unknown>> =>
  Object.fromEntries(eventFields(holds).map((name) => [name, (EVENT_FIELDS[name] as Field).empty]));

/** Those that a form sends as such and lists answer; the banner is a picture of its own. */
export const LISTED_FIELDS = eventFields(({ on }) => on === 'lists').filter(
  (name) => name !== 'bannerImageUrl',
) as (keyof ListedEventFields)[];

export type ContentText = Exclude<keyof ContentValue, 'venue'>;
/** Texts of the page. */
export const CONTENT_TEXTS = eventFields(
  ({ on, isText }) => on === 'page' && isText === true,
) as ContentText[];

const { coHosts: _managers, topics: _topics, ...EMPTY } = emptyFields(({ on }) => on === 'page');
/** As answers have it of an event that has none. */
export const EMPTY_CONTENT = { ...EMPTY, hasOnlineUrl: false } as unknown as EventContent;
