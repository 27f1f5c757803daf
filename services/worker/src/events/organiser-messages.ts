import {
  type Community,
  type Event,
  type MessageSegment,
  MessageMail,
  MessageTestMail,
  type PayloadOf,
  REGISTERED,
  type RepliesTo,
  SendMessage,
  WAITLISTED,
  whenOf,
  whereOf,
  tagFor,
} from '@meetmark/contracts';
import { InjectCommunity, insertJobs, notifyRelay, OutboxReader } from '@meetmark/platform';
import { Links } from '@meetmark/platform/mail/links';
import { messageMail } from '@meetmark/platform/mail/message-mail';
import { plain } from '@meetmark/platform/mail/plain';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { guestRecipient, type Recipient, Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';
import { whereWords } from '@meetmark/platform/mail/words';
import { mailWords } from '../mail/words.js';

// What organisers write to the people of an event.

/** SQL about the registration `r`. */
const SEGMENTS: Record<MessageSegment, string> = {
  registered: `r.status = '${REGISTERED}'`,
  waiting: `r.status = '${WAITLISTED}'`,
  came: 'events.came(r)',
  did_not_come: 'events.did_not_come(r)',
  chosen: `r.status <> 'cancelled' AND r.id = ANY ($3)`,
};

/** Fixes who gets a message and writes a mail for each, in one transaction. */
@HandlesJob(SendMessage)
export class SendMessageJob implements JobHandler<PayloadOf<typeof SendMessage>> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxReader,
  ) {}

  /**
   * Does nothing for a message that was cancelled, or is to be sent at another time by now. One that waited for its time is cancelled when
   * its author does not manage the event any more.
   */
  async handle({ messageId, sendAt }: PayloadOf<typeof SendMessage>, { id }: JobContext): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // together with what it writes: run again, it would write each mail once more
      if (!(await this.outbox.claim(manager, 'events', id))) return;
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
         SELECT $1, r.id FROM events.event_registrations r
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
  /** Whether the organiser may still send it; always true of one that is sent at once, since the service has just confirmed the right. */
  allowed: boolean;
}

/** Mails a message to a recipient, or as a test to its author. */
@Injectable()
export class MessageMails {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Null when the message is gone with its event, or its reader, or has nowhere to get it. */
  async find(
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
    const recipient = userId === null ? readerOf(guest, registrationId) : await this.recipients.find(userId);
    // a link that stopped them goes on doing so once its guest has an account
    return (
      recipient && { message, recipient: { ...recipient, messages: recipient.messages && !guest.stopped } }
    );
  }

  async event(id: string): Promise<WrittenAbout | undefined> {
    const [row] = await this.dataSource.query<{ event: WrittenAbout }[]>(
      `SELECT ${EVENT} AS event FROM events.events e WHERE e.id = $1`,
      [id],
    );
    return row?.event;
  }

  async send(
    { id }: JobContext,
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
        when: whenOf(span, { timeZone: this.community.timeZone, locale }),
        place: whereOf(event, whereWords(locale)),
        url: this.links.event(event),
        coverUrl: this.links.squareCover(event.id, event.version),
        author: author && nameOf(author),
        toAuthor,
      },
      body,
    );
    return this.mailer.send({
      id,
      recipient,
      content,
      list: isTest ? undefined : 'messages',
      replyTo: author === null || !toAuthor ? undefined : { name: nameOf(author), address: author.email },
    });
  }
}

interface Guest {
  email: string | null;
  stopped: boolean;
}

/** Somebody without an account. */
const readerOf = ({ email }: Guest, registrationId: string): Recipient | null =>
  email === null ? null : { ...guestRecipient(email), registrationId, messages: true };

const nameOf = ({ firstName, lastName }: Recipient) => plain(`${firstName} ${lastName}`);

/** JSON has no dates. */
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

@HandlesJob(MessageMail)
export class MessageMailJob implements JobHandler<PayloadOf<typeof MessageMail>> {
  constructor(private readonly mails: MessageMails) {}

  /** Sends none to a member or guest who has stopped such mails since they were written. */
  async handle(
    { messageId, registrationId }: PayloadOf<typeof MessageMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const found = await this.mails.find(messageId, registrationId);
    return found === null ? 'skipped' : this.mails.send(job, found.recipient, found.message);
  }
}

@HandlesJob(MessageTestMail)
export class MessageTestMailJob implements JobHandler<PayloadOf<typeof MessageTestMail>> {
  constructor(
    private readonly mails: MessageMails,
    private readonly recipients: Recipients,
  ) {}

  async handle(
    { eventId, userId, ...text }: PayloadOf<typeof MessageTestMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [event, recipient] = [await this.mails.event(eventId), await this.recipients.find(userId)];
    if (event === undefined || recipient === null) return 'skipped';
    return this.mails.send(job, recipient, { ...text, event, authorId: userId }, true);
  }
}
