import { button, defineTemplate, paragraph } from '../content.js';

interface Variables {
  communityName: string;
  firstName: string;
  supportEmail: string;
  /** Null where an administrator made the change. */
  revertUrl: string | null;
  /** How long it works. */
  hours: number;
}

/** To the address the account had before. The new one is not named: who reads this may not be its owner. */
export const emailChanged = defineTemplate<Variables>('email-changed', (mail) => ({
  subject: `Your ${mail.communityName} email address was changed`,
  preview: 'If this was not you, write to us.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph(
      `Your account at ${mail.communityName} has a new email address. From now on we write to it, and you sign in with it.`,
    ),
    ...(mail.revertUrl === null
      ? [paragraph(`Was this not you? Write to ${mail.supportEmail} at once.`)]
      : [
          paragraph(
            `Was this not you? Take your address back within ${mail.hours} hours. Every device is signed out then, and you choose a new password.`,
          ),
          button('Take my address back', mail.revertUrl),
          paragraph(`If that does not help, write to ${mail.supportEmail}.`),
        ]),
  ],
  reason: `This is the last mail to this address: it belonged to an account at ${mail.communityName} until now.`,
}));
