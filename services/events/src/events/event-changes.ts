import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  coverProblems,
  emptyFields,
  type EventChangeFields,
  type EventFields,
  eventFields,
  invalidFields,
  LISTED_FIELDS,
  type ListedEventFields,
  NOTIFIED_CHANGES,
  type NotifiedChange,
  shownState,
} from '@meetmark/contracts';
import type { ContentValues } from './event-content.js';
import type { EventEntity } from './event.entity.js';

/** The fields of the form that are stored with the event, as stored. */
export type EventValues = Pick<EventEntity, keyof ListedEventFields | 'bannerHash'>;

const STORED = eventFields(({ on }) => on === 'lists').map((name) =>
  name === 'bannerImageUrl' ? 'bannerHash' : (name as keyof ListedEventFields),
);
const EMPTY: Partial<Record<string, unknown>> = emptyFields(({ on }) => on === 'lists');
const CROPS = ['coverSquare', 'coverWide'] as const;
const MOMENTS = new Set<string>(eventFields((field) => field.isMoment === true));

/** The present fields of the form, as answers have them and for a request that contains only some of them. */
export const formOf = (event: EventValues): ListedEventFields =>
  Object.fromEntries(
    LISTED_FIELDS.map((name) => [name, formValue(event[name])]),
  ) as unknown as ListedEventFields;

const formValue = (value: EventValues[keyof EventValues]) =>
  value instanceof Date ? value.toISOString() : value;

/** Fields that are left out become what counts until they are filled in. */
export function eventValues(fields: EventFields, bannerHash: string | null): EventValues {
  const given: Record<string, unknown> = { ...fields, price: storedPrice(fields.price), bannerHash };
  const stored = (name: keyof EventValues) => {
    const value = given[name] ?? EMPTY[name] ?? null;
    if (MOMENTS.has(name) && value !== null) return new Date(value as string);
    // a plain object, as the database answers it
    return CROPS.some((crop) => crop === name) && value !== null ? { ...value } : value;
  };
  return Object.fromEntries(STORED.map((name) => [name, stored(name)])) as unknown as EventValues;
}

/** Two decimals, as the database returns it; 0 is null: free. */
const storedPrice = (price: string | null) =>
  price === null || Number(price) === 0 ? null : Number(price).toFixed(2);

/**
 * What a picture that is stored, kept or removed means for the fields beside it: it takes the place of a pattern, and another one is shown
 * from its middle until somebody moves it.
 * @throws DomainError VALIDATION_FAILED naming the field
 */
export function coverFields(
  request: Pick<EventChangeFields, 'coverPattern' | (typeof CROPS)[number]>,
  bannerHash: string | null,
  before: string | null,
): Partial<ListedEventFields> {
  const problems = coverProblems(request, bannerHash !== null);
  if (problems.length > 0) throw invalidFields(...problems);
  if (bannerHash === before) return {};
  const { coverSquare = null, coverWide = null } = request;
  return { ...(bannerHash !== null && { coverPattern: null }), coverSquare, coverWide };
}

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
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );

/** Names of the fields that differ, as the API calls them. */
export const changedFields = (before: EventValues, after: EventValues): string[] =>
  changedValues(before, after).map((field) => (field === 'bannerHash' ? 'bannerImageUrl' : field));

/** A change of one increases SEQUENCE. */
const IN_ENTRY: string[] = eventFields(({ inEntry }) => inEntry === true);
export const changesEntry = (fields: string[]) => fields.some((field) => IN_ENTRY.includes(field));

type NotifiedState = Record<NotifiedChange, string>;

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const DETAILS = eventFields(({ told }) => told === 'details');

/** What registered members get a mail about, each as one comparable text. */
export const notifiedState = (event: EventValues, content: ContentValues): NotifiedState => {
  const { venue, onlineUrl } = content;
  const all: Record<string, unknown> = { ...event, bannerImageUrl: event.bannerHash, ...content };
  return {
    ...shownState({ ...event, ...content }, onlineUrl === null ? '' : digest(onlineUrl)),
    // of the venue a mail shows one line
    details: digest(JSON.stringify([venue, ...DETAILS.map((name) => all[name])])),
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
