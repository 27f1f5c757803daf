import { toTextLocale } from '@meetmark/i18n/locales';
import { texts } from '@meetmark/i18n/texts/mails';

export const mailWords = (locale: string) => texts[toTextLocale(locale)];
