import { TestMail, type Community, type PayloadOf } from '@meetmark/contracts';
import { InjectCommunity } from '../mail/community.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { test } from '../mail/templates/test.js';
import { formatMoment } from '../mail/when.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

type Payload = PayloadOf<typeof TestMail>;

@HandlesJob(TestMail)
export class TestMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ userId }: Payload, { id, createdAt }: JobContext): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = test({
      communityName: this.community.name,
      firstName: recipient.firstName,
      when: formatMoment(createdAt, this.community),
    });
    return this.mailer.send({ id, template: 'test', recipient, content });
  }
}
