import { button, code, defineTemplate, paragraph } from '../content.js';

interface Variables {
  communityName: string;
  firstName: string;
  /** The six digits. */
  resetCode: string;
  /** Minutes from the request until it is void. */
  lifetime: number;
  resetUrl: string;
}

// The subject does not carry the code: locked telephones show subjects.
export const resetCode = defineTemplate<Variables>('reset-code', (mail) => ({
  subject: `Your ${mail.communityName} reset code`,
  preview: `The code is good for ${mail.lifetime} minutes.`,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('This is the code to choose a new password with:'),
    code(mail.resetCode),
    paragraph(`It works once and for ${mail.lifetime} minutes. A newer code makes this one void.`),
    button('Reset password', mail.resetUrl),
    paragraph(
      'You did not ask for it? Then nothing has changed and you need not do anything. Never pass it on.',
    ),
  ],
  reason: `You get this mail because a reset code was requested for your account at ${mail.communityName}.`,
}));
