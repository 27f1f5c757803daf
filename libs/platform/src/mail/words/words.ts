import { catalogue } from './catalogue.js';
import { german } from './de.js';
import { english } from './en-US.js';

/** What stands in every mail, in the language of its reader. */
export const frameWords = catalogue(english, { de: german });

/** How `whereOf` says where one takes part. */
export function whereWords(locale: string) {
  const { alsoOnline, bothWays } = frameWords(locale).event;
  return { alsoOnline: (place: string) => alsoOnline({ place }), bothWays: bothWays() };
}
