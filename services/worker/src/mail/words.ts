import { textLocaleOf } from '@meetmark/contracts/locales';
import { texts } from '@meetmark/contracts/texts/mails';

/** What mails say, in the language of their reader. */
export const mailWords = (locale: string) => texts[textLocaleOf(locale)];
