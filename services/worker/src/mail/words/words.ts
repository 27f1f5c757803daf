import { catalogue } from '@meetmark/platform/mail/words/catalogue';
import { german } from './de.js';
import { english } from './en-US.js';

/** What mails say, in the language of their reader. */
export const mailWords = catalogue(english, { de: german });
