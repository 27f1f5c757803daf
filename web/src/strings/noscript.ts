import english from './catalogues/en-US/noscript.json' with { type: 'json' };
import { said } from './say';

/** What browsers without scripts show; the build draws it (web/scripts/first-paint.ts). */
export const { noscriptText } = said<typeof english, object>(english);
