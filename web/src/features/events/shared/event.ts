import type { Community, Event, EventFormat } from '@meetmark/contracts';
import { PAYMENT_NOTE } from '@meetmark/contracts/community';
import { layoutText } from '@meetmark/i18n/texts/common';
import { formatText } from '@meetmark/i18n/texts/events';

export const hasEnded = ({ endDate }: Pick<Event, 'endDate'>, now: number) => Date.parse(endDate) <= now;

export type FormatFilter = 'all' | EventFormat;

export function formatLocation({ format, location }: Pick<Event, 'format' | 'location'>): string | null {
  if (format === 'in_person') return location;
  const name = formatText.names[format];
  return location === null ? name : `${name} · ${location}`;
}

export const getPaymentNote = (
  { paymentNote }: Pick<Event, 'paymentNote'>,
  { paymentNoteDefault }: Pick<Community, 'paymentNoteDefault'>,
): string =>
  paymentNote ?? (paymentNoteDefault === PAYMENT_NOTE ? layoutText.paymentNote : paymentNoteDefault);

export function nextEventText(
  event: Pick<Event, 'title' | 'location'>,
  written: { date: string; price: string; end: string },
): string {
  return [`${layoutText.nextEvent} ${event.title}`, written.date, event.location, written.price, written.end]
    .filter(Boolean)
    .join(' • ');
}
