import { EmailChangedMail, type Community, type PayloadOf } from '@meetmark/contracts';
import { InjectCommunity } from '../mail/community.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { emailChanged } from '../mail/templates/email-changed.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

type Payload = PayloadOf<typeof EmailChangedMail>;

@HandlesJob(EmailChangedMail)
export class EmailChangedMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ userId, oldEmail }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = emailChanged({
      communityName: this.community.name,
      firstName: recipient.firstName,
      supportEmail: this.community.supportEmail,
    });
    return this.mailer.send({ id, template: 'email-changed', recipient, address: oldEmail, content });
  }
}
