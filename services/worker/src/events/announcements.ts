import { AnnouncementMail, type PayloadOf, SendAnnouncement } from '@meetmark/contracts';
import { insertJobs, notifyRelay, OutboxReader } from '@meetmark/platform';
import { buttons, paragraph } from '@meetmark/platform/mail/blocks';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { rowsWithoutPlace, view } from './booking-mails.js';
import { EventMails, eventTemplate } from './event-mails.js';
import { mailWords } from '../mail/words.js';

const ANNOUNCED = `events.is_listed(e)`;
const followers = (of = '') => `
  SELECT DISTINCT follow.user_id FROM events.event_topics AS about
  JOIN events.topic_follows AS follow ON follow.topic_id = about.topic_id
  WHERE about.event_id = $1 ${of && `AND follow.user_id = ${of}`} AND NOT EXISTS (
    SELECT FROM events.event_registrations AS r
    WHERE r.event_id = $1 AND r.user_id = follow.user_id AND r.status <> 'cancelled')`;

const subscribers = (of = '') => `
  SELECT DISTINCT subscribed.subscription_id FROM events.event_topics AS about
  JOIN events.subscription_topics AS subscribed ON subscribed.topic_id = about.topic_id
  WHERE about.event_id = $1 ${of && `AND subscribed.subscription_id = ${of}`}`;

@Injectable()
export class Announcements {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxReader,
    private readonly mails: EventMails,
  ) {}

  /** Does nothing if the event was cancelled, hidden or deleted, or has started. */
  @HandlesJob(SendAnnouncement)
  async announce({ eventId }: PayloadOf<typeof SendAnnouncement>, { id }: JobContext): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Claims the job in the transaction that adds the emails, so that a retry doesn't add them again.
      if (!(await this.outbox.claim(manager, 'events', id))) return;
      const [, started] = await manager.query<[unknown[], number]>(
        `UPDATE events.announcements AS announcement SET started_at = now() FROM events.events AS e
         WHERE announcement.event_id = $1 AND announcement.started_at IS NULL AND e.id = $1 AND ${ANNOUNCED}`,
        [eventId],
      );
      if (started !== 1) return;
      const mail = {
        id: "md5('announcement ' || $1::uuid || ' ' || id)::uuid",
        payload: "jsonb_build_object('eventId', $1::uuid, key, id)",
      };
      await manager.query(
        `WITH people AS (
           SELECT 'userId' AS key, user_id AS id FROM (${followers()}) AS followers
           UNION ALL SELECT 'subscriptionId', subscription_id FROM (${subscribers()}) AS subscribers
         ), mails AS (${insertJobs('events', AnnouncementMail, mail, 'FROM people ON CONFLICT (id) DO NOTHING RETURNING id')})
         UPDATE events.announcements SET recipients = (SELECT count(*) FROM mails) WHERE event_id = $1`,
        [eventId],
      );
      await manager.query(`SELECT ${notifyRelay('events')}`);
    });
  }

  @HandlesJob(AnnouncementMail)
  async mail(payload: PayloadOf<typeof AnnouncementMail>, job: JobContext): Promise<MailOutcome> {
    const topics = await this.fetchTopics(payload);
    const event = topics && (await this.mails.event(payload.eventId));
    if (!event) return 'skipped';
    return this.mails.send(
      job,
      { ...event, ...payload },
      { content: (mail) => eventAnnounced({ ...mail, topics }), list: 'announcements' },
    );
  }

  private async fetchTopics({
    eventId,
    ...reader
  }: PayloadOf<typeof AnnouncementMail>): Promise<string[] | null> {
    const [follows, readers, id] =
      reader.userId === undefined
        ? ['events.subscription_topics', 'subscription_id', reader.subscriptionId]
        : ['events.topic_follows', 'user_id', reader.userId];
    const [row] = await this.dataSource.query<{ topics: string[] }[]>(
      `SELECT ARRAY(
         SELECT topic.name FROM events.event_topics AS about JOIN events.topics AS topic ON topic.id = about.topic_id
         JOIN ${follows} AS follow ON follow.topic_id = topic.id AND follow.${readers} = $2
         WHERE about.event_id = $1 ORDER BY about.position) AS topics
       FROM events.events AS e
       WHERE e.id = $1 AND ${ANNOUNCED} AND EXISTS (${(reader.userId === undefined ? subscribers : followers)('$2')})`,
      [eventId, id],
    );
    return row?.topics ?? null;
  }
}

export const eventAnnounced = eventTemplate<{ topics: string[] }>('event-announced', (mail) => {
  const words = mailWords(mail.locale).announced;
  const topics = new Intl.ListFormat(mail.locale).format(mail.topics);
  return {
    subject: words.subject({ title: mail.title }),
    preview: mail.when.text,
    status: { words: words.status, tone: 'news' },
    blocks: [
      paragraph(words.what({ topics })),
      rowsWithoutPlace(mail),
      ...(mail.about === null ? [] : [paragraph(mail.about)]),
      buttons(view(mail)),
    ],
    reason: words.reason({ topics, community: mail.communityName }),
  };
});
