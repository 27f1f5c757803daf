import type { PayloadOf, SecondFactorMail } from '@meetmark/contracts';
import { button, defineTemplate, facts, paragraph } from '../content.js';

type Payload = PayloadOf<typeof SecondFactorMail>;

interface Variables {
  communityName: string;
  firstName: string;
  change: Payload['change'];
  /** As its owner named it. */
  factor: string | null;
  when: string;
  forgotPasswordUrl: string;
  supportEmail: string;
}

const SUBJECTS: Record<Payload['change'], (community: string) => string> = {
  added: (community) => `A second factor was added to your ${community} account`,
  removed: (community) => `A second factor was removed from your ${community} account`,
  'all-removed': (community) => `The second factors of your ${community} account were removed`,
  'recovery-code-used': (community) => `A recovery code of your ${community} account was used`,
};

const SENTENCES: Record<Payload['change'], string> = {
  added: 'From now on signing in to your account takes a second step.',
  removed: 'It can no longer be used to sign in to your account.',
  'all-removed':
    'An administrator removed them, and all your devices were signed out. Signing in takes your password alone until you add a new one.',
  'recovery-code-used':
    'Somebody signed in to your account with one of your recovery codes. It cannot be used again.',
};

export const secondFactor = defineTemplate<Variables>('second-factor', (mail) => ({
  subject: SUBJECTS[mail.change](mail.communityName),
  preview: 'If this was not you, act now.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph(SENTENCES[mail.change]),
    mail.factor === null ? facts(['When', mail.when]) : facts(['Factor', mail.factor], ['When', mail.when]),
    paragraph(`Was this not you? Choose a new password now and write to ${mail.supportEmail}.`),
    button('Choose a new password', mail.forgotPasswordUrl),
  ],
  reason: `Mails about the safety of your account at ${mail.communityName} are always sent.`,
}));
