import { button, code, defineTemplate, paragraph } from '../content.js';

interface Variables {
  communityName: string;
  /** `keep`: a verification without which the account goes. */
  purpose: 'verify' | 'keep' | 'sign-in' | 'reset' | 'change-present' | 'change-new';
  /** Null where nobody has shown yet that the address is theirs: a stranger must not read what somebody typed as a name. */
  firstName: string | null;
  /** The six digits; null in a mail that carries the link alone. */
  code: string | null;
  /** Minutes from the request until the code is void. */
  lifetime: number;
  /** Shows a page; only a press of its button does something. */
  url: string;
}

interface Words {
  subject: (community: string, what: string) => string;
  /** What the code or link is for. */
  to: string;
  button: string;
  more?: string;
  reason: (community: string) => string;
}

const SIGNS_IN = 'In another browser the link signs you in there, and a password set before ends.';

const WORDS: Record<Variables['purpose'], Words> = {
  verify: {
    subject: (community) => `Confirm your email address for ${community}`,
    to: 'confirm your email address',
    button: 'Confirm my address',
    more: `Enter the code where you signed up. ${SIGNS_IN}`,
    reason: (community) => `You get this mail because an account at ${community} was made with this address.`,
  },
  keep: {
    subject: (community) => `Your ${community} account ends in 7 days`,
    to: 'keep your account',
    button: 'Keep my account',
    more: 'Nobody has confirmed this address or used the account for weeks. Without a confirmation it is removed in 7 days. The link signs you in, and a password set before ends.',
    reason: (community) => `You get this mail because an account at ${community} was made with this address.`,
  },
  'sign-in': {
    subject: (community, what) => `Your ${community} sign-in ${what}`,
    to: 'sign in',
    button: 'Sign in',
    reason: (community) =>
      `You get this mail because somebody asked to sign in to your account at ${community}.`,
  },
  reset: {
    subject: (community, what) => `Your ${community} reset ${what}`,
    to: 'choose a new password',
    button: 'Reset password',
    reason: (community) =>
      `You get this mail because a reset code was requested for your account at ${community}.`,
  },
  'change-present': {
    subject: (community) => `Confirm that your ${community} address is to change`,
    to: 'confirm that your account is to have another email address',
    button: 'Confirm the change',
    more: 'After that, a second code goes to the new address.',
    reason: (community) => `You get this mail because somebody asked for it in your account at ${community}.`,
  },
  'change-new': {
    subject: (community) => `Confirm your new address at ${community}`,
    to: 'confirm that this is the new address of an account',
    button: 'Confirm this address',
    more: 'Confirm it in the browser where you are signed in: in any other, the password of the account ends.',
    reason: (community) =>
      `You get this mail because this address was entered for an account at ${community}. Without the code nothing happens.`,
  },
};

// The subject does not carry the code: locked telephones show subjects.
export const codeMail = defineTemplate<Variables>('code', (mail) => {
  const words = WORDS[mail.purpose];
  const intro =
    mail.code === null
      ? [paragraph(`Press the button to ${words.to}.`)]
      : [paragraph(`This is your code to ${words.to}:`), code(mail.code)];
  return {
    subject: words.subject(mail.communityName, mail.code === null ? 'link' : 'code'),
    preview:
      mail.code === null ? 'Open the link in this mail.' : `The code is good for ${mail.lifetime} minutes.`,
    blocks: [
      paragraph(mail.firstName === null ? 'Hello,' : `Hello ${mail.firstName},`),
      ...intro,
      ...(mail.code === null
        ? []
        : [
            paragraph(
              `It works once, for ${mail.lifetime} minutes, in the browser where it was asked for. A newer code makes this one void.`,
            ),
          ]),
      ...(words.more === undefined ? [] : [paragraph(words.more)]),
      button(words.button, mail.url),
      paragraph(
        'You did not ask for it? Then nothing has changed and you need not do anything. Never pass it on.',
      ),
    ],
    reason: words.reason(mail.communityName),
  };
});
