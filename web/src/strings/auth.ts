import { catalogue } from './catalogue';
import english from './catalogues/en-US/auth.json' with { type: 'json' };
import { say } from './say';

const texts = catalogue('auth', english);

export const authText = {
  ...texts.authText,
  comingUp: (count: number) => say(texts.authText.comingUp, { count }),
  welcomeLine: (community: string) => say(texts.authText.welcomeLine, { community }),
  joinLine: (community: string) => say(texts.authText.joinLine, { community }),
};
