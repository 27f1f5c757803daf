import english from './catalogues/en-US/own-code.json' with { type: 'json' };
import { said } from './say';

export const { ownCodeText } = said<typeof english, object>(english);
