import { createHash } from 'node:crypto';
import {
  type EventChangeFields,
  type EventFields,
  invalidFields,
  NOTIFIED_CHANGES,
  type NotifiedChange,
  shownState,
} from '@meetmark/contracts';
import type { ContentValues } from './event-content.js';
import type { EventEntity } from './event.entity.js';

/** The fields that an administrator edits, as stored. */
export type EventValues = Pick<
  EventEntity,
  | 'title'
  | 'description'
  | 'descriptionFormat'
  | 'startDate'
  | 'endDate'
  | 'location'
  | 'format'
  | 'price'
  | 'paymentNote'
  | 'capacity'
  | 'isAllDay'
  | 'bannerHash'
  | 'waitlistEnabled'
  | 'visibility'
  | 'publishAt'
  | 'registrationOpensAt'
  | 'registrationClosesAt'
>;

/** The present fields of the form, for a request that contains only some of them. */
export const formOf = (event: EventValues): EventFields => ({
  title: event.title,
  description: event.description,
  descriptionFormat: event.descriptionFormat,
  startDate: event.startDate.toISOString(),
  endDate: event.endDate.toISOString(),
  location: event.location,
  format: event.format,
  price: event.price,
  paymentNote: event.paymentNote,
  capacity: event.capacity,
  isAllDay: event.isAllDay,
  waitlistEnabled: event.waitlistEnabled,
  visibility: event.visibility,
  publishAt: event.publishAt?.toISOString() ?? null,
  registrationOpensAt: event.registrationOpensAt?.toISOString() ?? null,
  registrationClosesAt: event.registrationClosesAt?.toISOString() ?? null,
});

export const eventValues = (fields: EventFields, bannerHash: string | null): EventValues => ({
  title: fields.title,
  description: fields.description,
  descriptionFormat: fields.descriptionFormat ?? DEFAULTS.descriptionFormat,
  startDate: new Date(fields.startDate),
  endDate: new Date(fields.endDate),
  location: fields.location,
  format: fields.format ?? DEFAULTS.format,
  price: storedPrice(fields.price),
  paymentNote: fields.paymentNote ?? null,
  capacity: fields.capacity,
  isAllDay: fields.isAllDay ?? DEFAULTS.isAllDay,
  bannerHash,
  waitlistEnabled: fields.waitlistEnabled ?? DEFAULTS.waitlistEnabled,
  visibility: fields.visibility ?? DEFAULTS.visibility,
  publishAt: momentOf(fields.publishAt),
  registrationOpensAt: momentOf(fields.registrationOpensAt),
  registrationClosesAt: momentOf(fields.registrationClosesAt),
});

const momentOf = (text: string | null | undefined) => (text == null ? null : new Date(text));

/** For what the form omits. */
const DEFAULTS = {
  descriptionFormat: 'plain',
  format: 'in_person',
  isAllDay: false,
  waitlistEnabled: true,
  visibility: 'public',
} as const;

/** Two decimals, as the database returns it; 0 is null: free. */
const storedPrice = (price: string | null) =>
  price === null || Number(price) === 0 ? null : Number(price).toFixed(2);

type Moment = 'publishAt' | 'registrationOpensAt' | 'registrationClosesAt';

/**
 * What no field says by itself. The moments that the request gives are held against the event's own; one that was there before may lie
 * beyond an end that is moved, where it says nothing any more.
 * @throws DomainError VALIDATION_FAILED naming the field
 */
export function checkMoments(
  event: EventValues & Pick<EventEntity, 'status'>,
  given: Pick<EventChangeFields, Moment>,
): void {
  const { publishAt, registrationOpensAt, registrationClosesAt, endDate, status } = event;
  const problems: [Moment, string][] = [];
  if (given.publishAt != null && status !== 'draft') problems.push(['publishAt', 'is for drafts only']);
  if (given.publishAt != null && publishAt! >= endDate)
    problems.push(['publishAt', 'must be before the end of the event']);
  if (given.registrationClosesAt != null && registrationClosesAt! > endDate)
    problems.push(['registrationClosesAt', 'must not be after the end of the event']);
  if (registrationOpensAt && registrationClosesAt && registrationOpensAt >= registrationClosesAt) {
    const field = given.registrationClosesAt == null ? 'registrationOpensAt' : 'registrationClosesAt';
    problems.push([field, 'must leave time between the opening and the closing of the registration']);
  }
  if (problems.length > 0) throw invalidFields(...problems);
}

export const changedValues = (before: EventValues, after: EventValues): (keyof EventValues)[] =>
  (Object.keys(after) as (keyof EventValues)[]).filter(
    (field) => before[field]?.valueOf() !== after[field]?.valueOf(),
  );

/** Names of the fields that differ, as the API calls them. */
export const changedFields = (before: EventValues, after: EventValues): string[] =>
  changedValues(before, after).map((field) => (field === 'bannerHash' ? 'bannerImageUrl' : field));

/** The fields in the calendar entry of an event: a change of one increases SEQUENCE. */
const IN_ENTRY = [
  ...['title', 'description', 'descriptionFormat', 'startDate', 'endDate', 'isAllDay', 'location', 'format'],
  ...['venue', 'onlineUrl', 'onlineNote'],
];
export const changesEntry = (fields: string[]) => fields.some((field) => IN_ENTRY.includes(field));

type NotifiedState = Record<NotifiedChange, string>;

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** What registered members get a mail about, each as one comparable text. */
export const notifiedState = (event: EventValues, content: ContentValues): NotifiedState => {
  const { description, descriptionFormat, capacity, bannerHash, paymentNote } = event;
  const { registrationOpensAt, registrationClosesAt } = event;
  const { venue, onlineUrl, coHosts: _managers, topics: _topics, questions: _asked, ...rest } = content;
  const online = onlineUrl === null ? '' : digest(onlineUrl);
  const written = [description, descriptionFormat, paymentNote];
  const details = [...written, capacity, bannerHash, registrationOpensAt, registrationClosesAt];
  return {
    ...shownState({ ...event, venue }, online),
    details: digest(JSON.stringify([...details, venue, rest])),
  };
};

/**
 * What a mail tells of an edit.
 * @param notify true or false: the organiser has decided. Otherwise the kind of change decides
 */
export function toldChanges(
  before: NotifiedState,
  after: NotifiedState,
  notify: boolean | null | undefined,
): NotifiedChange[] {
  if (notify === false) return [];
  const changed = NOTIFIED_CHANGES.filter((part) => before[part] !== after[part]);
  if (!notify) return changed.filter((part) => part !== 'details');
  return changed.length > 0 ? changed : ['details'];
}
