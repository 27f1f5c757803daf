import { toTextLocale } from '@meetmark/contracts/locales';
import { texts } from '@meetmark/contracts/texts/mail-frame';

export const frameWords = (locale: string) => texts[toTextLocale(locale)];

export function whereWords(locale: string) {
  const { alsoOnline, bothWays } = frameWords(locale).event;
  return { alsoOnline: (place: string) => alsoOnline({ place }), bothWays };
}
