import { catalogue } from './catalogue.js';
import { german } from './de.js';
import { english } from './en-US.js';

/** What stands in every mail, in the language of its reader. */
export const frameWords = catalogue(english, { de: german });
