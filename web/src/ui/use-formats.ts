import { commonText } from '@meetmark/contracts/texts/common';
import { useCommunity } from '../api/community';
import { dateTime, longDate, monthTitle, shortDate, shortMoment, timeOfDay, viewerZone } from './dates';
import {
  calendarLeaf,
  eventHours,
  eventMoment,
  eventSpan,
  eventStart,
  type EventTimes,
  eventWhen,
  type Placed,
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
    eventSpan: (event: EventTimes) => eventSpan(event, context),
    /** Writes the same as `eventSpan`, with the year only when it is not the present one. */
    shortSpan: (event: EventTimes) => eventSpan(event, context, new Date()),
    eventWhen: (event: EventTimes) => eventWhen(event, context),
    eventStart: (event: EventTimes) => eventStart(event, context),
    eventMoment: (event: Placed, moment: string) => eventMoment(event, moment, context),
    eventHours: (event: Placed, start: string, end = start) => eventHours(event, start, end, context),
    viewerZone: () => viewerZone(context),
  };
}
