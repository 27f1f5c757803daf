import english from './catalogues/en-US/security.json' with { type: 'json' };
import { said } from './say';

export const {
  securityText,
  authenticatorText,
  passkeyText,
  recoveryCodesText,
  secondStepText,
  confirmText,
} = said<
  typeof english,
  {
    securityText: {
      added: [date: string];
      used: [date: string];
      removeNamed: [name: string];
      removed: [name: string];
      codesLeft: [left: number];
      sessionUsed: [when: string];
      sessionFrom: [network: string];
      endNamed: [device: string];
    };
    confirmText: { codeSent: [email: string] };
  }
>(english);
