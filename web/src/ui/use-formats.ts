import { commonText } from '@meetmark/i18n/texts/common';
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

export function useFormats() {
  const context = useCommunity();
  return {
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
    shortSpan: (event: EventTimes) => eventSpan(event, context, new Date()),
    eventWhen: (event: EventTimes) => eventWhen(event, context),
    eventStart: (event: EventTimes) => eventStart(event, context),
    eventMoment: (event: Placed, moment: string) => eventMoment(event, moment, context),
    eventHours: (event: Placed, start: string, end = start) => eventHours(event, start, end, context),
    viewerZone: () => viewerZone(context),
  };
}
