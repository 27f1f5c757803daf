import { AddressTakenMail, type Community, type PayloadOf } from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';

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
    return this.mailer.send({ id, recipient, content });
  }
}

interface Variables {
  communityName: string;
  firstName: string;
  forgotPasswordUrl: string;
}

/** To the owner of an address that was entered for another account. It does not say by whom: it may be the owner. */
export const addressTaken = defineTemplate<Variables>('address-taken', (mail) => ({
  subject: `You have an account at ${mail.communityName}`,
  preview: 'Somebody entered your address for another account.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph(
      `Somebody entered this address for another account at ${mail.communityName}. It belongs to your account already, so nothing has changed.`,
    ),
    paragraph(
      'Was it you? Then sign in with this address. If you have forgotten the password, choose a new one:',
    ),
    button('Choose a new password', mail.forgotPasswordUrl),
    paragraph('Was it not you? Then you need not do anything.'),
  ],
  reason: `You get this mail because you have an account at ${mail.communityName}.`,
}));
