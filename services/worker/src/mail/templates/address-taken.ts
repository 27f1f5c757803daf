import { button, defineTemplate, paragraph } from '../content.js';

interface Variables {
  communityName: string;
  firstName: string;
  forgotPasswordUrl: string;
}

/** To the holder of an address that somebody entered for another account. Who it was is not said: it may be themselves. */
export const addressTaken = defineTemplate<Variables>('address-taken', (mail) => ({
  subject: `You have an account at ${mail.communityName}`,
  preview: 'Somebody entered your address for another account.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph(
      `Somebody entered this address for another account at ${mail.communityName}. It belongs to your account already, so nothing has changed.`,
    ),
    paragraph(
      'Was it you? Then sign in with this address. If you have forgotten the password, choose a new one:',
    ),
    button('Choose a new password', mail.forgotPasswordUrl),
    paragraph('Was it not you? Then you need not do anything.'),
  ],
  reason: `You get this mail because you have an account at ${mail.communityName}.`,
}));
