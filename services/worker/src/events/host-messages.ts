import { type Community, HostMessageMail, type PayloadOf } from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { InjectCommunity } from '@meetmark/platform';
import { buttons, paragraph, typedText } from '@meetmark/platform/mail/blocks';
import { defineTemplate, type MailContent } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { plain } from '@meetmark/platform/mail/plain';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { mailWords } from '../mail/words.js';
import { GivenUp, HandlesJob, type JobContext, type MailOutcome, SOON } from '../queue/job-handler.js';
import { retry } from '../queue/retry.js';

interface Written {
  hostId: string;
  name: string;
  email: string;
  body: string;
  event: { id: string; slug: string | null; title: string };
}

@Injectable()
export class HostMessageMailJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Sends nothing if the event, its host or the writer's account was deleted. */
  @HandlesJob(HostMessageMail, { priority: SOON })
  async handle({ messageId }: PayloadOf<typeof HostMessageMail>, job: JobContext): Promise<MailOutcome> {
    const written = await this.find(messageId);
    if (written === undefined) return 'skipped';
    try {
      const outcome = await this.send(job, written);
      await retry(() => this.forget(messageId));
      return outcome;
    } catch (error) {
      if (error instanceof GivenUp) await retry(() => this.forget(messageId));
      throw error;
    }
  }

  private async send(job: JobContext, { hostId, name, email, body, event }: Written): Promise<MailOutcome> {
    const recipient = await this.recipients.find(hostId);
    if (recipient === null) return 'skipped';
    const content = hostMessage(
      {
        communityName: this.community.name,
        locale: tagFor(recipient.locale, this.community),
        firstName: recipient.firstName,
        title: event.title,
        name,
        email,
        url: this.links.event(event),
      },
      body,
    );
    return this.mailer.send({
      job,
      recipient,
      content,
      replyTo: { name: plain(name), address: email },
      byPerson: true,
    });
  }

  private async find(id: string): Promise<Written | undefined> {
    const [row] = await this.dataSource.query<Written[]>(
      `SELECT m.host_id AS "hostId", m.name, m.email, m.body,
         json_build_object('id', e.id, 'slug', e.event_slug, 'title', e.title) AS event
       FROM events.host_messages AS m JOIN events.events AS e ON e.id = m.event_id WHERE m.id = $1 AND m.body IS NOT NULL`,
      [id],
    );
    return row;
  }

  private async forget(id: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE events.host_messages SET name = NULL, email = NULL, body = NULL WHERE id = $1',
      [id],
    );
  }
}

interface Variables {
  communityName: string;
  locale: string;
  firstName: string;
  title: string;
  name: string;
  email: string;
  url: string;
}

/** Adds the message after applying the template, because the template would remove line breaks. */
export function hostMessage(variables: Variables, body: string): MailContent {
  const { blocks, ...content } = frame(variables);
  const [first, ...rest] = blocks;
  return { ...content, blocks: [first!, typedText(body), ...rest] };
}

const frame = defineTemplate<Variables>('host-message', (mail) => {
  const { hostMessage: words, viewEvent } = mailWords(mail.locale);
  const { name, title } = mail;
  return {
    subject: words.subject({ name, title }),
    preview: words.preview({ name }),
    status: { words: words.status, tone: 'news' },
    title: words.title({ name }),
    firstName: mail.firstName,
    blocks: [
      paragraph(words.what({ name, title })),
      paragraph(words.answer({ name, email: mail.email })),
      buttons({ label: viewEvent, url: mail.url }),
    ],
    reason: words.reason({ name, title, community: mail.communityName }),
  };
});
