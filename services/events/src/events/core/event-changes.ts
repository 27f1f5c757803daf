import { isDeepStrictEqual } from 'node:util';
import {
  coverProblems,
  emptyFields,
  type EventChangeFields,
  type EventFields,
  eventFields,
  invalidFields,
  type ListedEventFields,
} from '@meetmark/contracts';
import type { EventEntity, EventValues } from './event.entity.js';

const STORED = eventFields(({ on }) => on === 'lists').map((name) =>
  name === 'bannerImageUrl' ? 'bannerHash' : (name as keyof ListedEventFields),
);
const EMPTY: Partial<Record<string, unknown>> = emptyFields(({ on }) => on === 'lists');
const CROPS = ['coverSquare', 'coverWide'] as const;
const MOMENTS = new Set<string>(eventFields((field) => field.isMoment === true));

export function eventValues(fields: EventFields, bannerHash: string | null): EventValues {
  const given: Record<string, unknown> = { ...fields, price: storedPrice(fields.price), bannerHash };
  const stored = (name: keyof EventValues) => {
    const value = given[name] ?? EMPTY[name] ?? null;
    if (MOMENTS.has(name) && value !== null) return new Date(value as string);
    // converts a class instance to a plain object, like the objects that the database returns
    return CROPS.some((crop) => crop === name) && value !== null ? { ...value } : value;
  };
  return Object.fromEntries(STORED.map((name) => [name, stored(name)])) as unknown as EventValues;
}

/** Formats a price with two decimals, like the database. Returns null (free) for 0. */
const storedPrice = (price: string | null) =>
  price === null || Number(price) === 0 ? null : Number(price).toFixed(2);

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

/** Checks times against the end of the event only if they are edited. Later times have no effect. */
export function checkMoments(
  event: EventValues & Pick<EventEntity, 'status'>,
  given: Pick<EventChangeFields, Moment>,
): void {
  const { publishAt, registrationOpensAt, registrationClosesAt, endDate, status } = event;
  const problems: [Moment, string][] = [];
  if (given.publishAt != null && status !== 'draft') problems.push(['publishAt', 'is only for drafts']);
  if (given.publishAt != null && publishAt! >= endDate)
    problems.push(['publishAt', 'must be before the end of the event']);
  if (given.registrationClosesAt != null && registrationClosesAt! > endDate)
    problems.push(['registrationClosesAt', 'must not be after the end of the event']);
  if (registrationOpensAt && registrationClosesAt && registrationOpensAt >= registrationClosesAt) {
    const field = given.registrationClosesAt == null ? 'registrationOpensAt' : 'registrationClosesAt';
    problems.push([field, 'must leave time between the opening and closing of registration']);
  }
  if (problems.length > 0) throw invalidFields(...problems);
}

export const changedValues = (before: EventValues, after: EventValues): (keyof EventValues)[] =>
  (Object.keys(after) as (keyof EventValues)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );

export const changedFields = (before: EventValues, after: EventValues): string[] =>
  changedValues(before, after).map((field) => (field === 'bannerHash' ? 'bannerImageUrl' : field));

/** A change of these fields increases SEQUENCE of the calendar entry. */
const IN_ENTRY: string[] = eventFields(({ inEntry }) => inEntry === true);
export const changesEntry = (fields: string[]) => fields.some((field) => IN_ENTRY.includes(field));
