import { useCommunity } from '../api/community';
import {
  calendarLeaf,
  dateTime,
  eventSpan,
  longDate,
  monthTitle,
  shortDate,
  shortMoment,
  timeOfDay,
  viewerZone,
} from './dates';
import { formatCount, formatPrice } from './price';

/** The formatters of dates, prices and counts, bound to the community's locale, currency and time zone. */
export function useFormats() {
  const context = useCommunity();
  return {
    /** '10,000', with at most one decimal. */
    count: (figure: number) => formatCount(figure, context),
    price: (price: string | null) => formatPrice(price, context),
    shortMoment: (moment: string) => shortMoment(moment, context),
    dateTime: (moment: string) => dateTime(moment, context),
    shortDate: (moment: string) => shortDate(moment, context),
    longDate: (moment: string | Date) => longDate(moment, context),
    timeOfDay: (moment: string) => timeOfDay(moment, context),
    monthTitle: (moment: Date) => monthTitle(moment, context),
    calendarLeaf: (moment: string) => calendarLeaf(moment, context),
    eventSpan: (event: Parameters<typeof eventSpan>[0]) => eventSpan(event, context),
    viewerZone: () => viewerZone(context),
  };
}
