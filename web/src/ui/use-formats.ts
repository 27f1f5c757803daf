import { useCommunity } from '../api/community';
import { commonText } from '../strings/common';
import { dateTime, longDate, monthTitle, shortDate, shortMoment, timeOfDay, viewerZone } from './dates';
import {
  calendarLeaf,
  eventDate,
  eventDay,
  eventDays,
  eventHours,
  eventMoment,
  eventMonth,
  eventSpan,
  eventStart,
  type EventTimes,
  eventWhen,
  partOnDay,
  timeUntil,
} from './event-times';
import { formatCount, formatPrice } from './price';

/** The formatters of dates, prices and counts, bound to the community's locale, currency and time zone. */
export function useFormats() {
  const context = useCommunity();
  return {
    /** '10,000', with at most one decimal. */
    count: (figure: number) => formatCount(figure, context),
    price: (price: string | null) => formatPrice(price, context, commonText.free),
    shortMoment: (moment: string) => shortMoment(moment, context),
    dateTime: (moment: string) => dateTime(moment, context),
    shortDate: (moment: string) => shortDate(moment, context),
    longDate: (moment: string | Date) => longDate(moment, context),
    timeOfDay: (moment: string) => timeOfDay(moment, context),
    monthTitle: (moment: Date) => monthTitle(moment, context),
    calendarLeaf: (event: Omit<EventTimes, 'endDate'>) => calendarLeaf(event, context),
    timeUntil: (event: EventTimes, now: Date) => timeUntil(event, context, now),
    eventSpan: (event: EventTimes) => eventSpan(event, context),
    /** As `eventSpan`, with the year only when it is another. */
    shortSpan: (event: EventTimes) => eventSpan(event, context, new Date()),
    eventWhen: (event: EventTimes) => eventWhen(event, context),
    eventStart: (event: EventTimes) => eventStart(event, context),
    eventMoment: (event: Pick<EventTimes, 'format'>, moment: string) => eventMoment(event, moment, context),
    eventHours: (event: Pick<EventTimes, 'format'>, start: string, end = start) =>
      eventHours(event, start, end, context),
    eventDate: (startDate: string) => eventDate(startDate, context),
    eventDay: (event: Pick<EventTimes, 'format'>, moment: string) => eventDay(event, moment, context),
    eventMonth: (event: EventTimes, now?: Date) => eventMonth(event, context, now),
    eventDays: (event: EventTimes) => eventDays(event, context),
    dayOfEvent: (event: EventTimes, day: { start: Date }) => partOnDay(eventDays(event, context), day),
    viewerZone: () => viewerZone(context),
  };
}
