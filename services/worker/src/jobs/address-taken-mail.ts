import { AddressTakenMail, type Community, type PayloadOf } from '@meetmark/contracts';
import { InjectCommunity } from '../mail/community.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { addressTaken } from '../mail/templates/address-taken.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

type Payload = PayloadOf<typeof AddressTakenMail>;

@HandlesJob(AddressTakenMail)
export class AddressTakenMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ userId }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = addressTaken({
      communityName: this.community.name,
      firstName: recipient.firstName,
      forgotPasswordUrl: this.links.forgotPassword(),
    });
    return this.mailer.send({ id, template: 'address-taken', recipient, content });
  }
}
