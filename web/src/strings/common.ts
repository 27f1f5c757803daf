import english from './catalogues/en-US/common.json' with { type: 'json' };
import { said } from './say';

/** Sentences of the frame around the screens, and those that several screens share. */
export const { commonText, layoutText } = said<
  typeof english,
  { layoutText: { userMenu: [name: string]; copyright: [year: number, name: string] } }
>(english);
