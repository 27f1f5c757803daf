import { type Community, type PayloadOf, SubscriptionConfirmMail } from '@meetmark/contracts';
import { type ProductLocale, tagFor } from '@meetmark/i18n/locales';
import { InjectCommunity } from '@meetmark/platform';
import { signConfirmation } from '@meetmark/platform/identity/unsubscribe-link';
import { buttons, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { guestRecipient } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';
import { mailWords } from '../mail/words.js';

interface Wish {
  email: string;
  /** Language of the page that sent the request. Null means the community's. */
  locale: ProductLocale | null;
  topics: string[];
  digest: boolean;
}

@Injectable()
export class SubscriptionConfirmMailJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly config: WorkerConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Sends no text that the requester entered, because the email address may belong to someone else. */
  @HandlesJob(SubscriptionConfirmMail)
  async handle(
    { requestId }: PayloadOf<typeof SubscriptionConfirmMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [wish] = await this.dataSource.query<Wish[]>(
      `SELECT email, locale, digest,
         ARRAY(SELECT name FROM events.topics WHERE topics.id = ANY (topic_ids) ORDER BY name) AS topics
       FROM events.subscription_requests WHERE id = $1 AND confirmed_at IS NULL`,
      [requestId],
    );
    if (wish === undefined) return 'skipped';
    const { email, locale } = wish;
    const token = signConfirmation(requestId, this.config.linkSecrets);
    const content = subscriptionConfirm({
      communityName: this.community.name,
      locale: tagFor(locale, this.community),
      topics: wish.topics,
      digest: wish.digest,
      confirmUrl: this.links.confirmSubscription(token, locale),
    });
    return this.mailer.send({
      job,
      recipient: { ...guestRecipient(email), locale },
      content,
      unnamed: true,
    });
  }
}

interface ConfirmVariables {
  communityName: string;
  locale: string;
  topics: string[];
  digest: boolean;
  confirmUrl: string;
}

export const subscriptionConfirm = defineTemplate<ConfirmVariables>('subscription-confirm', (mail) => {
  const words = mailWords(mail.locale).subscription;
  const community = mail.communityName;
  const topics = words.topics({ topics: new Intl.ListFormat(mail.locale).format(mail.topics) });
  const digest = words.digest;
  const lists = mail.topics.length === 0 ? digest : mail.digest ? words.both({ topics, digest }) : topics;
  return {
    subject: words.subject({ community }),
    preview: words.preview,
    title: words.title,
    firstName: null,
    blocks: [
      paragraph(words.what({ community, lists })),
      buttons({ label: words.button, url: mail.confirmUrl }),
      paragraph(words.notYou),
    ],
    reason: words.reason({ community }),
  };
});
