import { type Community, PasswordChangedMail, type PayloadOf } from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { button, defineTemplate, facts, paragraph } from '../mail/content.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { formatMoment } from '../mail/when.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';

type Payload = PayloadOf<typeof PasswordChangedMail>;

@HandlesJob(PasswordChangedMail)
export class PasswordChangedMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ userId, at, why }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = passwordChanged({
      communityName: this.community.name,
      firstName: recipient.firstName,
      why: why ?? 'chosen',
      when: formatMoment(new Date(at), this.community),
      forgotPasswordUrl: this.links.forgotPassword(),
      supportEmail: this.community.supportEmail,
    });
    return this.mailer.send({ id, recipient, content });
  }
}

interface Variables {
  communityName: string;
  firstName: string;
  when: string;
  why: 'chosen' | 'email-reverted' | 'email-verified';
  forgotPasswordUrl: string;
  supportEmail: string;
}

const WHAT = {
  chosen: 'The password of your account was changed, and your other devices were signed out.',
  'email-reverted':
    'Your account has its earlier email address again. Its password and the second factors added since it changed have ended, and every device was signed out.',
  'email-verified':
    'The address of your account was confirmed in a browser that was not signed in to it. Its password has ended, and every other device was signed out.',
} as const;

export const passwordChanged = defineTemplate<Variables>('password-changed', (mail) => ({
  subject: `Your ${mail.communityName} password was changed`,
  preview: 'If this was not you, act now.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph(WHAT[mail.why]),
    paragraph('Your private calendar address has ended with it. One press in your profile makes a new one.'),
    facts(['When', mail.when]),
    paragraph(`Was this not you? Choose a new password now and write to ${mail.supportEmail}.`),
    button('Choose a new password', mail.forgotPasswordUrl),
  ],
  reason: `Mails about the safety of your account at ${mail.communityName} are always sent.`,
}));
