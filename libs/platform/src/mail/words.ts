import { textLocaleOf } from '@meetmark/contracts/locales';
import { texts } from '@meetmark/contracts/texts/mail-frame';

/** What stands in every mail, and in the parts that many have, in the language of its reader; of an event, in calendars and feeds as well. */
export const frameWords = (locale: string) => texts[textLocaleOf(locale)];

/** How `whereOf` says where one takes part. */
export function whereWords(locale: string) {
  const { alsoOnline, bothWays } = frameWords(locale).event;
  return { alsoOnline: (place: string) => alsoOnline({ place }), bothWays };
}
