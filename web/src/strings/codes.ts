import { catalogue } from './catalogue';
import english from './catalogues/en-US/codes.json' with { type: 'json' };
import { say } from './say';

const texts = catalogue('codes', english);

export const codesText = {
  ...texts.codesText,
  sentTo: (email: string) => say(texts.codesText.sentTo, { email }),
  ifAccount: (email: string) => say(texts.codesText.ifAccount, { email }),
};

export const { signInCodeText } = texts;

export const verificationText = {
  ...texts.verificationText,
  banner: (email: string) => say(texts.verificationText.banner, { email }),
};
