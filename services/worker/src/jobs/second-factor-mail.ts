import { SecondFactorMail, type Community, type PayloadOf } from '@meetmark/contracts';
import { InjectCommunity } from '../mail/community.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { secondFactor } from '../mail/templates/second-factor.js';
import { formatMoment } from '../mail/when.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

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
    return this.mailer.send({ id, template: 'second-factor', recipient, content });
  }
}
