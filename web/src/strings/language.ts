import english from './catalogues/en-US/language.json' with { type: 'json' };
import { said } from './say';

export const { languageText } = said<typeof english, object>(english);
