import english from './catalogues/en-US/auth.json' with { type: 'json' };
import { said } from './say';

export const { authText } = said<
  typeof english,
  {
    authText: {
      comingUp: [count: number];
      welcomeLine: [community: string];
      joinLine: [community: string];
    };
  }
>(english);
