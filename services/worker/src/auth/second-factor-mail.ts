import { type Community, type PayloadOf, SecondFactorMail } from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { button, defineTemplate, facts, paragraph } from '../mail/content.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { formatMoment } from '../mail/when.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';

type Payload = PayloadOf<typeof SecondFactorMail>;

@HandlesJob(SecondFactorMail)
export class SecondFactorMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ userId, change, factor, at }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = secondFactor({
      communityName: this.community.name,
      firstName: recipient.firstName,
      change,
      factor,
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
