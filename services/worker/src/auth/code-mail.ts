import {
  CODE,
  CodeMail,
  codeSeal,
  type Community,
  type PayloadOf,
  type SealedCode,
} from '@meetmark/contracts';
import { openSealedText } from '@meetmark/platform/identity/sealed-text';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '@meetmark/platform';
import { buttons, code, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { type ConfirmPurpose, Links } from '@meetmark/platform/mail/links';
import { Mailer } from '../mail/mailer.js';
import { type Recipient, Recipients } from '../mail/recipients.js';
import {
  GivenUp,
  HandlesJob,
  type JobContext,
  type JobHandler,
  type MailOutcome,
} from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';
import { retry } from '../queue/retry.js';

type Payload = PayloadOf<typeof CodeMail>;

const MINUTE = 60_000;

interface Flow {
  purpose: Variables['purpose'];
  /** Null for an address without an account, which gets no mail unless somebody registers with it. */
  userId: string | null;
  email: string;
  /** Of the event that is registered for; null as well once that is gone. */
  event: string | null;
  /** Null once the mail is sent, or when a newer code has replaced it. */
  sealed: string | null;
  open: boolean;
}

@HandlesJob(CodeMail)
export class CodeMailJob implements JobHandler<Payload> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly config: WorkerConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ flowId, removal = false }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const flow = await this.find(flowId);
    const outcome = flow?.sealed && flow.open ? await this.send(id, flowId, flow, removal) : 'skipped';
    await retry(() => this.forget(flowId));
    return outcome;
  }

  private async send(id: string, flowId: string, flow: Flow, removal: boolean): Promise<MailOutcome> {
    const { email, event } = flow;
    const recipient = await this.recipientOf(flow);
    if (recipient === null) return 'skipped';
    const known = flow.purpose === 'rsvp' && flow.userId !== null;
    const purpose = removal ? 'keep' : known ? 'rsvp-known' : flow.purpose;
    const text = openSealedText(flow.sealed ?? '', codeSeal(flowId), this.config.resetCodeSecrets);
    if (text === null)
      throw new GivenUp('the code was sealed with a secret that is not in RESET_CODE_SECRETS');
    const { code, link } = JSON.parse(text) as SealedCode;
    // Only the proved owner of the address reads the name that was typed with it.
    const unnamed = !recipient.verified || recipient.email.toLowerCase() !== email;
    const content = codeMail({
      communityName: this.community.name,
      purpose,
      event,
      firstName: unnamed ? null : recipient.firstName,
      code,
      lifetime: CODE.lifetime / MINUTE,
      url: this.links.confirm(CONFIRMS[purpose], link),
    });
    return this.mailer.send({
      id,
      recipient,
      address: email,
      content: { ...content, template: `code-${purpose}` },
      carriesCode: true,
      unnamed,
    });
  }

  private async recipientOf({ purpose, userId, email, event }: Flow): Promise<Recipient | null> {
    if (purpose === 'rsvp' && event === null) return null;
    if (userId !== null) return this.recipients.find(userId);
    return purpose === 'rsvp' ? { ...STRANGER, email } : null;
  }

  private async find(id: string): Promise<Flow | undefined> {
    const [row] = await this.dataSource.query<Flow[]>(
      `SELECT purpose, user_id AS "userId", email, sealed, ended_at IS NULL AND link_expires_at > now() AS open,
         (SELECT title FROM events.events WHERE id = event_id) AS event
       FROM auth.code_flows WHERE id = $1`,
      [id],
    );
    return row;
  }

  private async forget(id: string): Promise<void> {
    await this.dataSource.query('UPDATE auth.code_flows SET sealed = NULL WHERE id = $1', [id]);
  }
}

/** Somebody without an account. What was typed as their name is told to nobody: another person may have typed the address. */
const STRANGER = {
  id: '',
  firstName: '',
  lastName: '',
  verified: false,
  eventUpdates: false,
  reminders: false,
  messages: false,
  announcements: false,
  digest: false,
};

const CONFIRMS: Record<Flow['purpose'], ConfirmPurpose> = {
  verify: 'verify',
  keep: 'verify',
  'sign-in': 'sign-in',
  reset: 'reset',
  rsvp: 'rsvp',
  'rsvp-known': 'rsvp',
  'change-present': 'email',
  'change-new': 'email',
};

interface Variables {
  communityName: string;
  /** `keep`: a verification without which the account is removed; `rsvp-known`: an rsvp with the address of an account. */
  purpose: 'verify' | 'keep' | 'rsvp' | 'rsvp-known' | 'sign-in' | 'reset' | 'change-present' | 'change-new';
  /** The title of the event that the code registers for. */
  event: string | null;
  /** Null for an unverified address: a stranger must not read what another person typed as a name. */
  firstName: string | null;
  /** The six digits; null in a mail that carries the link alone. */
  code: string | null;
  /** Minutes from the request until the code expires. */
  lifetime: number;
  /** Leads to a page; only its button has an effect. */
  url: string;
}

interface Words {
  subject: (community: string, what: string, event: string) => string;
  title: (what: string) => string;
  /** What the code or link is for; with an event, 'for' it. */
  to: string;
  button: string;
  more?: string;
  reason: (community: string) => string;
}

const SIGNS_IN = 'In another browser the link signs you in there, and a password set before ends.';
const madeHere = (community: string) =>
  `You get this mail because an account at ${community} was made with this address.`;

const WORDS: Record<Variables['purpose'], Words> = {
  verify: {
    subject: (community) => `Confirm your email address for ${community}`,
    title: () => 'Confirm your email address',
    to: 'confirm your email address',
    button: 'Confirm my address',
    more: `Enter the code where you signed up. ${SIGNS_IN}`,
    reason: madeHere,
  },
  keep: {
    subject: (community) => `Your ${community} account ends in 7 days`,
    title: () => 'Your account ends in 7 days',
    to: 'keep your account',
    button: 'Keep my account',
    more: 'Nobody has confirmed this address or used the account for weeks. Without a confirmation it is removed in 7 days. The link signs you in, and a password set before ends.',
    reason: madeHere,
  },
  'sign-in': {
    subject: (community, what) => `Your ${community} sign-in ${what}`,
    title: (what) => `Your sign-in ${what}`,
    to: 'sign in',
    button: 'Sign in',
    reason: (community) =>
      `You get this mail because somebody asked to sign in to your account at ${community}.`,
  },
  reset: {
    subject: (community, what) => `Your ${community} reset ${what}`,
    title: (what) => `Your reset ${what}`,
    to: 'choose a new password',
    button: 'Reset password',
    reason: (community) =>
      `You get this mail because a reset code was requested for your account at ${community}.`,
  },
  rsvp: {
    subject: (_, what, event) => `Your registration ${what} for ${event}`,
    title: (what) => `Your registration ${what}`,
    to: 'register',
    button: 'Register',
    more: 'Your place is taken once you have confirmed. The link registers you in whichever browser you open it, and makes you an account without a password.',
    reason: (community) =>
      `You get this mail because somebody entered this address to register for an event of ${community}. Without the code nothing happens.`,
  },
  'rsvp-known': {
    subject: (_, what, event) => `Your registration ${what} for ${event}`,
    title: (what) => `Your registration ${what}`,
    to: 'sign in and register',
    button: 'Sign in and register',
    more: 'You have an account with this address. Your place is taken once you have confirmed.',
    reason: (community) =>
      `You get this mail because somebody entered this address, which has an account at ${community}, to register for an event. Without the code nothing happens.`,
  },
  'change-present': {
    subject: (community) => `Confirm that your ${community} address is to change`,
    title: () => 'Your address is to change',
    to: 'confirm that your account is to have another email address',
    button: 'Confirm the change',
    more: 'After that, a second code goes to the new address.',
    reason: (community) => `You get this mail because somebody asked for it in your account at ${community}.`,
  },
  'change-new': {
    subject: (community) => `Confirm your new address at ${community}`,
    title: () => 'Confirm your new address',
    to: 'confirm that this is the new address of an account',
    button: 'Confirm this address',
    more: 'Confirm it in the browser where you are signed in: in any other, the password of the account ends.',
    reason: (community) =>
      `You get this mail because this address was entered for an account at ${community}. Without the code nothing happens.`,
  },
};

// The subject does not carry the code: locked telephones show subjects.
export const codeMail = defineTemplate<Variables>('code', (mail) => {
  const { communityName, firstName, lifetime, url } = mail;
  const words = WORDS[mail.purpose];
  const what = mail.code === null ? 'link' : 'code';
  const event = mail.event ?? '';
  const to = event === '' ? words.to : `${words.to} for “${event}”`;
  const intro =
    mail.code === null
      ? [paragraph(`Press the button to ${to}.`)]
      : [
          paragraph(`This is your code to ${to}:`),
          code(mail.code),
          paragraph(
            `It works once, for ${lifetime} minutes, in the browser where it was asked for. A newer code makes this one void.`,
          ),
        ];
  return {
    subject: words.subject(communityName, what, event),
    preview: mail.code === null ? 'Open the link in this mail.' : `The code is good for ${lifetime} minutes.`,
    title: words.title(what),
    firstName,
    blocks: [
      ...intro,
      ...(words.more === undefined ? [] : [paragraph(words.more)]),
      buttons({ label: words.button, url }),
      paragraph(
        'You did not ask for it? Then nothing has changed and you need not do anything. Never pass it on.',
      ),
    ],
    reason: words.reason(communityName),
  };
});
