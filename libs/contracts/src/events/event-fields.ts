import type { EventContent } from './event-content.js';
import type { ContentValue, EventFields, ListedEventFields } from './event-form.js';
import type { NotifiedChange } from './notified-changes.js';

interface Field {
  /** `lists`: in every response with events. `page`: only in responses about one event. */
  on: 'lists' | 'page';
  empty?: unknown;
  isMoment?: true;
  /** Only with `page`: an optional text that is stored as entered. */
  isText?: true;
  /**
   * Kind of change in emails to guests. `details` are emailed only if the organiser asks for it. Null is
   * never emailed.
   */
  told: NotifiedChange | null;
  inEntry?: true;
  audited?: true;
  /**
   * Database columns, unless the field is stored in one column of the same name. Empty if another table
   * stores the field.
   */
  columns?: readonly string[];
}

/** Each field also needs rules in `EventFields` or `EventContentFields`. The compiler checks that. */
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
  // Not 'time': a new zone that moves the event also changes `startDate` and `endDate`.
  timeZone: { on: 'lists', empty: null, told: 'details', inEntry: true, audited: true },
  bannerImageUrl: { on: 'lists', empty: null, told: 'details', columns: ['banner_hash'] },
  coverPattern: { on: 'lists', empty: null, told: 'details' },
  coverSquare: { on: 'lists', empty: null, told: null },
  coverWide: { on: 'lists', empty: null, told: null },
  waitlistEnabled: { on: 'lists', empty: false, told: null },
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

export const eventFields = (holds: (field: Field) => boolean): EventFieldName[] =>
  (Object.keys(EVENT_FIELDS) as EventFieldName[]).filter((name) => holds(EVENT_FIELDS[name]));

export const getColumns = (name: EventFieldName): readonly string[] =>
  (EVENT_FIELDS[name] as Field).columns ?? [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ];

export const emptyFields = (holds: (field: Field) => boolean): Partial<Record<EventFieldName, unknown>> =>
  Object.fromEntries(eventFields(holds).map((name) => [name, (EVENT_FIELDS[name] as Field).empty]));

/** Fields in lists of events, except the banner, which is uploaded as an image. */
export const LISTED_FIELDS = eventFields(({ on }) => on === 'lists').filter(
  (name) => name !== 'bannerImageUrl',
) as (keyof ListedEventFields)[];

export type ContentText = Exclude<keyof ContentValue, 'venue'>;
export const CONTENT_TEXTS = eventFields(
  ({ on, isText }) => on === 'page' && isText === true,
) as ContentText[];

const { coHosts: _managers, topics: _topics, ...EMPTY } = emptyFields(({ on }) => on === 'page');
export const EMPTY_CONTENT = { ...EMPTY, hasOnlineUrl: false } as unknown as EventContent;
