import { catalogue } from './catalogue';
import english from './catalogues/en-US/security.json' with { type: 'json' };
import { say } from './say';

const texts = catalogue('security', english);
const security = texts.securityText;

export const securityText = {
  ...security,
  added: (date: string) => say(security.added, { date }),
  used: (date: string) => say(security.used, { date }),
  removeNamed: (name: string) => say(security.removeNamed, { name }),
  removed: (name: string) => say(security.removed, { name }),
  codesLeft: (left: number) => say(security.codesLeft, { left }),
  sessionUsed: (when: string) => say(security.sessionUsed, { when }),
  sessionFrom: (network: string) => say(security.sessionFrom, { network }),
  endNamed: (device: string) => say(security.endNamed, { device }),
};

export const { authenticatorText, passkeyText, recoveryCodesText, secondStepText } = texts;

export const confirmText = {
  ...texts.confirmText,
  codeSent: (email: string) => say(texts.confirmText.codeSent, { email }),
};
