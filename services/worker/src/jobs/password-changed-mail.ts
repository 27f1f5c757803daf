import { PasswordChangedMail, type Community, type PayloadOf } from '@meetmark/contracts';
import { InjectCommunity } from '../mail/community.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { passwordChanged } from '../mail/templates/password-changed.js';
import { formatMoment } from '../mail/when.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

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
    return this.mailer.send({ id, template: 'password-changed', recipient, content });
  }
}
