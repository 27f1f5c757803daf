import { catalogue } from './catalogue';
import english from './catalogues/en-US/passwords.json' with { type: 'json' };
import { say } from './say';

const texts = catalogue('passwords', english);

export const { changePasswordText, resetText } = texts;

export const resetRequestText = {
  ...texts.resetRequestText,
  mailBody: (name: string, email: string) => say(texts.resetRequestText.mailBody, { name, email }),
};
