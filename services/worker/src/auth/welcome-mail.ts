import { type Community, type PayloadOf, WelcomeMail } from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';

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
    return this.mailer.send({ id, recipient, content });
  }
}

interface Variables {
  communityName: string;
  firstName: string;
  homeUrl: string;
  forgotPasswordUrl: string;
  /** The address was confirmed in a browser that was not signed in to the account. */
  passwordEnded: boolean;
}

export const welcome = defineTemplate<Variables>(
  'welcome',
  ({ communityName, firstName, homeUrl, forgotPasswordUrl, passwordEnded }) => ({
    subject: `Welcome to ${communityName}`,
    preview: 'Your account is ready. See what is coming up.',
    blocks: [
      paragraph(`Hello ${firstName},`),
      paragraph(`Welcome to ${communityName}. Your account is ready, and every event is one click away.`),
      button('Browse events', homeUrl),
      ...(passwordEnded
        ? [
            paragraph(
              'Your address was confirmed in a browser that was not signed in. The password that was set before, the sign-ins and the private calendar address made with it have ended, because anybody could have set it. You can choose a password:',
            ),
            button('Choose a password', forgotPasswordUrl),
          ]
        : []),
      paragraph('A picture and a line about yourself on your profile help others to recognise you there.'),
    ],
    reason: `You get this mail because an account was made with this address at ${communityName}.`,
  }),
);
