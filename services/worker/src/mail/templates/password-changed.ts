import { button, defineTemplate, facts, paragraph } from '../content.js';

interface Variables {
  communityName: string;
  firstName: string;
  when: string;
  forgotPasswordUrl: string;
  supportEmail: string;
}

export const passwordChanged = defineTemplate<Variables>('password-changed', (mail) => ({
  subject: `Your ${mail.communityName} password was changed`,
  preview: 'If this was not you, act now.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('The password of your account was changed, and your other devices were signed out.'),
    facts(['When', mail.when]),
    paragraph(`Was this not you? Choose a new password now and write to ${mail.supportEmail}.`),
    button('Choose a new password', mail.forgotPasswordUrl),
  ],
  reason: `Mails about the safety of your account at ${mail.communityName} are always sent.`,
}));
