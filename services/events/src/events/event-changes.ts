import type { CreateEventRequest, PayloadOf, EventChanged } from '@meetmark/contracts';
import type { EventEntity } from './event.entity.js';

/** What the people who are registered are told of. */
export type ToldChange = PayloadOf<typeof EventChanged>['changed'][number];

/** The fields that an administrator writes, as the row keeps them. */
export type EventValues = Pick<
  EventEntity,
  | 'title'
  | 'description'
  | 'startDate'
  | 'endDate'
  | 'location'
  | 'format'
  | 'price'
  | 'capacity'
  | 'isAllDay'
  | 'bannerHash'
>;

/** `absent`: what counts where older clients do not say it. */
export const eventValues = (
  fields: CreateEventRequest,
  bannerHash: string | null,
  absent: Pick<EventValues, 'format' | 'isAllDay'>,
): EventValues => ({
  title: fields.title,
  description: fields.description,
  startDate: new Date(fields.startDate),
  endDate: new Date(fields.endDate),
  location: fields.location,
  format: fields.format ?? absent.format,
  price: storedPrice(fields.price),
  capacity: fields.capacity,
  isAllDay: fields.isAllDay ?? absent.isAllDay,
  bannerHash,
});

/** Two decimals, as the database gives it back; 0 is null: free (D24). */
const storedPrice = (price: string | null) =>
  price === null || Number(price) === 0 ? null : Number(price).toFixed(2);

/** Names of the fields that differ, as the API calls them. */
export function changedFields(before: EventValues, after: EventValues): string[] {
  return (Object.keys(after) as (keyof EventValues)[])
    .filter((field) => before[field]?.valueOf() !== after[field]?.valueOf())
    .map((field) => (field === 'bannerHash' ? 'bannerImageUrl' : field));
}

const TOLD: Record<string, ToldChange> = {
  title: 'title',
  startDate: 'time',
  endDate: 'time',
  isAllDay: 'time',
  location: 'location',
  format: 'location',
};

export const toldChanges = (fields: string[]): ToldChange[] => [
  ...new Set(fields.flatMap((field) => TOLD[field] ?? [])),
];
