import { toTextLocale } from '@meetmark/contracts/locales';
import { texts } from '@meetmark/contracts/texts/mails';

export const mailWords = (locale: string) => texts[toTextLocale(locale)];
