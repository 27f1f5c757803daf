import { WelcomeMail, type Community, type PayloadOf } from '@meetmark/contracts';
import { InjectCommunity } from '../mail/community.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { welcome } from '../mail/templates/welcome.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

type Payload = PayloadOf<typeof WelcomeMail>;

@HandlesJob(WelcomeMail)
export class WelcomeMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ userId, passwordEnded = false }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = welcome({
      communityName: this.community.name,
      firstName: recipient.firstName,
      homeUrl: this.links.home(),
      forgotPasswordUrl: this.links.forgotPassword(),
      passwordEnded,
    });
    return this.mailer.send({ id, template: 'welcome', recipient, content });
  }
}
