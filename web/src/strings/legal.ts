import english from './catalogues/en-US/legal.json' with { type: 'json' };
import { said } from './say';

export const { legalText } = said<typeof english, object>(english);
