import {
  type Community,
  type Event,
  mailboxSql,
  type MessageSegment,
  MessageMail,
  MessageTestMail,
  type PayloadOf,
  REGISTERED,
  type RepliesTo,
  SendMessage,
  WAITLISTED,
  formatWhen,
  formatLocation,
} from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { InjectCommunity, insertJobs, notifyRelay, OutboxReader } from '@meetmark/platform';
import { Links } from '@meetmark/platform/mail/links';
import { messageMail } from '@meetmark/platform/mail/message-mail';
import { plain } from '@meetmark/platform/mail/plain';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { guestRecipient, type Recipient, Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { whereWords } from '@meetmark/platform/mail/words';
import { mailWords } from '../mail/words.js';

const SEGMENTS: Record<MessageSegment, string> = {
  registered: `r.status = '${REGISTERED}'`,
  waiting: `r.status = '${WAITLISTED}'`,
  came: 'events.came(r)',
  did_not_come: 'events.did_not_come(r, (SELECT events.knows_who_came($2)))',
  chosen: `r.status <> 'cancelled' AND r.id = ANY ($3)`,
};

/** Guests without an account get one email per mailbox. */
@Injectable()
export class SendMessageJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxReader,
  ) {}

  @HandlesJob(SendMessage)
  async handle({ messageId, sendAt }: PayloadOf<typeof SendMessage>, { id }: JobContext): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Claims the job in the transaction that adds the emails, so that a retry doesn't add them again.
      if (!(await this.outbox.claim(manager, 'events', id))) return;
      await manager.query('SELECT events.lock_event(event_id) FROM events.messages WHERE id = $1', [
        messageId,
      ]);
      const message = await this.due(manager, messageId, sendAt);
      if (message === undefined) return;
      if (!message.allowed) {
        await manager.query("UPDATE events.messages SET state = 'cancelled' WHERE id = $1", [messageId]);
        return;
      }
      const recipients = await this.writeMails(manager, messageId, message);
      await manager.query(
        `UPDATE events.messages SET started_at = now(), recipients = $2, state = CASE WHEN $2 = 0 THEN 'sent' ELSE 'sending' END
         WHERE id = $1`,
        [messageId, recipients],
      );
    });
  }

  private async due(manager: EntityManager, id: string, sendAt: string): Promise<Due | undefined> {
    const [row] = await manager.query<Due[]>(
      `SELECT event_id AS "eventId", segment, registration_ids AS "registrationIds",
         state = 'sending' OR events.management_refusal(author_id, event_id, true) IS NULL AS allowed
       FROM events.messages WHERE id = $1 AND send_at = $2 AND state IN ('scheduled', 'sending') AND started_at IS NULL FOR NO KEY UPDATE`,
      [id, sendAt],
    );
    return row;
  }

  private async writeMails(
    manager: EntityManager,
    messageId: string,
    { eventId, segment, registrationIds }: Due,
  ): Promise<number> {
    const mail = {
      id: 'gen_random_uuid()',
      payload: "jsonb_build_object('messageId', $1::uuid, 'registrationId', registration_id)",
    };
    const [{ written }] = await manager.query<[{ written: number }]>(
      `WITH people AS (
         INSERT INTO events.message_recipients (message_id, registration_id)
         SELECT DISTINCT ON (r.user_id, ${mailboxSql('r.guest_email')}) $1::uuid, r.id FROM events.event_registrations r
         WHERE r.event_id = $2 AND cardinality($3::uuid[]) >= 0 AND ${SEGMENTS[segment]}
           AND (r.user_id IS NOT NULL OR r.guest_email IS NOT NULL) RETURNING registration_id
       ), mails AS (${insertJobs('events', MessageMail, mail, 'FROM people RETURNING id')})
       SELECT count(*)::integer AS written FROM mails`,
      [messageId, eventId, registrationIds],
    );
    await manager.query(`SELECT ${notifyRelay('events')}`);
    return written;
  }
}

interface Due {
  eventId: string;
  segment: MessageSegment;
  registrationIds: string[];
  /**
   * Whether the author may send the message. Always true if it is sent immediately, because the service has
   * checked that.
   */
  allowed: boolean;
}

@Injectable()
export class MessageMails {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @HandlesJob(MessageMail)
  async message(
    { messageId, registrationId }: PayloadOf<typeof MessageMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const found = await this.find(messageId, registrationId);
    return found === null ? 'skipped' : this.send(job, found.recipient, found.message);
  }

  @HandlesJob(MessageTestMail)
  async test(
    { eventId, userId, ...text }: PayloadOf<typeof MessageTestMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [event, recipient] = [await this.event(eventId), await this.recipients.find(userId)];
    if (event === undefined || recipient === null) return 'skipped';
    return this.send(job, recipient, { ...text, event, authorId: userId }, true);
  }

  private async find(
    messageId: string,
    registrationId: string,
  ): Promise<{ message: Written; recipient: Recipient } | null> {
    const [row] = await this.dataSource.query<{ message: Written; userId: string | null; guest: Guest }[]>(
      `SELECT json_build_object('subject', m.subject, 'body', m.body, 'replyTo', m.reply_to, 'authorId', m.author_id,
         'event', ${EVENT}) AS message, r.user_id AS "userId",
         json_build_object('email', r.guest_email, 'stopped', EXISTS (
           SELECT FROM events.message_stops WHERE registration_id = r.id)) AS guest
       FROM events.messages m JOIN events.events e ON e.id = m.event_id
       JOIN events.event_registrations r ON r.id = $2 AND r.event_id = m.event_id WHERE m.id = $1`,
      [messageId, registrationId],
    );
    if (row === undefined) return null;
    const { message, userId, guest } = row;
    const recipient = userId === null ? toReader(guest, registrationId) : await this.recipients.find(userId);
    // A guest who unsubscribed stays unsubscribed even after taking over the registration with an account.
    return (
      recipient && { message, recipient: { ...recipient, messages: recipient.messages && !guest.stopped } }
    );
  }

  private async event(id: string): Promise<WrittenAbout | undefined> {
    const [row] = await this.dataSource.query<{ event: WrittenAbout }[]>(
      `SELECT ${EVENT} AS event FROM events.events e WHERE e.id = $1`,
      [id],
    );
    return row?.event;
  }

  private async send(
    job: JobContext,
    recipient: Recipient,
    { subject, body, event, replyTo, authorId }: Written,
    isTest = false,
  ): Promise<MailOutcome> {
    const author = authorId === null ? null : await this.recipients.find(authorId);
    const toAuthor = replyTo === 'author';
    const { startDate, endDate, ...rest } = event;
    const span = { ...rest, startDate: new Date(startDate), endDate: new Date(endDate) };
    const locale = tagFor(recipient.locale, this.community);
    const content = messageMail(
      {
        locale,
        communityName: this.community.name,
        subject: isTest ? mailWords(locale).testOf({ subject }) : subject,
        firstName: recipient.firstName || null,
        title: event.title,
        when: formatWhen(span, { timeZone: this.community.timeZone, locale }),
        place: formatLocation(event, whereWords(locale)),
        url: this.links.event(event),
        coverUrl: this.links.squareCover(event.id, event.version),
        author: author && formatName(author),
        toAuthor,
      },
      body,
    );
    return this.mailer.send({
      job,
      recipient,
      content,
      list: isTest ? undefined : 'messages',
      replyTo: author === null || !toAuthor ? undefined : { name: formatName(author), address: author.email },
    });
  }
}

interface Guest {
  email: string | null;
  stopped: boolean;
}

const toReader = ({ email }: Guest, registrationId: string): Recipient | null =>
  email === null ? null : { ...guestRecipient(email), registrationId, messages: true };

const formatName = ({ firstName, lastName }: Recipient) => plain(`${firstName} ${lastName}`);

type WrittenAbout = Pick<
  Event,
  'id' | 'slug' | 'title' | 'version' | 'format' | 'location' | 'isAllDay' | 'timeZone'
> &
  Record<'startDate' | 'endDate', string>;

interface Written {
  subject: string;
  body: string;
  replyTo: RepliesTo;
  authorId: string | null;
  event: WrittenAbout;
}

const EVENT = `json_build_object('id', e.id, 'slug', e.event_slug, 'title', e.title, 'version', e.version, 'format', e.format, 'location', e.location,
  'startDate', e.start_date, 'endDate', e.end_date, 'isAllDay', e.is_all_day, 'timeZone', e.time_zone)`;
