import { type Community, type PayloadOf, SubscriptionConfirmMail } from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { signConfirmation } from '@meetmark/platform/identity/unsubscribe-link';
import { buttons, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { DataSource } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { guestRecipient } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';

interface Wish {
  email: string;
  topics: string[];
  digest: boolean;
}

@HandlesJob(SubscriptionConfirmMail)
export class SubscriptionConfirmMailJob implements JobHandler<PayloadOf<typeof SubscriptionConfirmMail>> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly config: WorkerConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Whoever has typed the address: what they wrote beside it, which is nothing, is told to nobody. */
  async handle(
    { requestId }: PayloadOf<typeof SubscriptionConfirmMail>,
    { id }: JobContext,
  ): Promise<MailOutcome> {
    const [wish] = await this.dataSource.query<Wish[]>(
      `SELECT email, digest,
         ARRAY(SELECT name FROM events.topics WHERE topics.id = ANY (topic_ids) ORDER BY lower(name)) AS topics
       FROM events.subscription_requests WHERE id = $1 AND confirmed_at IS NULL`,
      [requestId],
    );
    if (wish === undefined) return 'skipped';
    const content = subscriptionConfirm({
      communityName: this.community.name,
      locale: this.community.locale,
      topics: wish.topics,
      digest: wish.digest,
      confirmUrl: this.links.confirmSubscription(signConfirmation(requestId, this.config.linkSecrets)),
    });
    return this.mailer.send({ id, recipient: guestRecipient('', wish.email), content, unnamed: true });
  }
}

interface ConfirmVariables {
  communityName: string;
  locale: string;
  topics: string[];
  digest: boolean;
  confirmUrl: string;
}

const subscriptionConfirm = defineTemplate<ConfirmVariables>('subscription-confirm', (mail) => {
  const lists = [
    ...(mail.topics.length > 0
      ? [`announcements of new events about ${new Intl.ListFormat(mail.locale).format(mail.topics)}`]
      : []),
    ...(mail.digest ? ['a digest once a week'] : []),
  ];
  return {
    subject: `Confirm your address for ${mail.communityName}`,
    preview: 'One press, and the mails come.',
    title: 'Confirm your address',
    firstName: null,
    blocks: [
      paragraph(
        `Somebody has asked ${mail.communityName} to send this address ${lists.join(', and ')}. Was that you? Then confirm it within seven days:`,
      ),
      buttons({ label: 'Confirm my address', url: mail.confirmUrl }),
      paragraph('If it was not you, there is nothing that you need to do: no further mail comes.'),
    ],
    reason: `You get this mail because this address was entered at ${mail.communityName}.`,
  };
});
