import { catalogue } from './catalogue';
import english from './catalogues/en-US/common.json' with { type: 'json' };
import { say } from './say';

const texts = catalogue('common', english);

/** Sentences of the frame around the screens, and those that several screens share. */
export const { commonText } = texts;

export const layoutText = {
  ...texts.layoutText,
  userMenu: (name: string) => say(texts.layoutText.userMenu, { name }),
  copyright: (year: number, name: string) => say(texts.layoutText.copyright, { year: String(year), name }),
};
