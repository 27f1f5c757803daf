import { toTextLocale } from '@meetmark/i18n/locales';
import { texts } from '@meetmark/i18n/texts/mail-frame';

export const frameWords = (locale: string) => texts[toTextLocale(locale)];

export function whereWords(locale: string) {
  const { alsoOnline, bothWays } = frameWords(locale).event;
  return { alsoOnline: (place: string) => alsoOnline({ place }), bothWays };
}
