import { type Community, type PayloadOf, TestMail } from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { defineTemplate, facts, paragraph } from '../mail/content.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { formatMoment } from '../mail/when.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';

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
    return this.mailer.send({ id, recipient, content });
  }
}

export const test = defineTemplate<{ communityName: string; firstName: string; when: string }>(
  'test',
  ({ communityName, firstName, when }) => ({
    subject: `Test mail from ${communityName}`,
    preview: 'Mail is set up.',
    blocks: [
      paragraph(`Hello ${firstName},`),
      paragraph('This mail went the whole way: outbox, queue, worker and mail server. Mail is set up.'),
      facts(['Asked for', when]),
    ],
    reason: `You get this mail because you asked for it on the System page of ${communityName}.`,
  }),
);
