import { useCommunity } from '../api/community';
import { commonText } from '../strings/common';
import {
  calendarLeaf,
  dateTime,
  dayOfEvent,
  eventSpan,
  eventStart,
  eventWhen,
  longDate,
  monthName,
  monthTitle,
  shortDate,
  shortMoment,
  timeOfDay,
  timeUntil,
  viewerZone,
} from './dates';
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
    calendarLeaf: (moment: string, isAllDay: boolean) => calendarLeaf(moment, isAllDay, context),
    monthName: (moment: string, now: Date) => monthName(moment, context, now),
    timeUntil: (moment: string, now: Date) => timeUntil(moment, context, now),
    eventSpan: (event: Parameters<typeof eventSpan>[0]) => eventSpan(event, context),
    /** As `eventSpan`, with the year only when it is another. */
    shortSpan: (event: Parameters<typeof eventSpan>[0]) => eventSpan(event, context, new Date()),
    eventWhen: (event: Parameters<typeof eventWhen>[0]) => eventWhen(event, context),
    eventStart: (event: Parameters<typeof eventStart>[0]) => eventStart(event, context),
    dayOfEvent: (event: Parameters<typeof dayOfEvent>[0], day: Parameters<typeof dayOfEvent>[1]) =>
      dayOfEvent(event, day, context),
    viewerZone: () => viewerZone(context),
  };
}
