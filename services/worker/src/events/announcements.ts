import { AnnouncementMail, type PayloadOf, SendAnnouncement } from '@meetmark/contracts';
import { insertJobs, notifyRelay, OutboxReader } from '@meetmark/platform';
import { buttons, paragraph } from '@meetmark/platform/mail/blocks';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';
import { rowsWithoutPlace } from './booking-mails.js';
import { EventMails, eventTemplate } from './event-mails.js';

// A new event is announced to those who follow its topics.

/** SQL about the event `e`: whether it is still announced. */
const ANNOUNCED = `e.status = 'published' AND e.visibility = 'public' AND e.start_date > now()`;
/** SQL: who follows a topic of the event $1 and has not registered for it. */
const FOLLOWERS = `
  SELECT DISTINCT follow.user_id FROM events.event_topics AS about
  JOIN events.topic_follows AS follow ON follow.topic_id = about.topic_id
  WHERE about.event_id = $1 AND NOT EXISTS (
    SELECT FROM events.event_registrations AS r
    WHERE r.event_id = $1 AND r.user_id = follow.user_id AND r.status <> 'cancelled')`;

/** Writes a mail for each follower, in one transaction. */
@HandlesJob(SendAnnouncement)
export class SendAnnouncementJob implements JobHandler<PayloadOf<typeof SendAnnouncement>> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxReader,
  ) {}

  /** Does nothing for an event that was cancelled, hidden or deleted since, or has begun. */
  async handle({ eventId }: PayloadOf<typeof SendAnnouncement>, { id }: JobContext): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // together with what it writes: run again, it would write each mail once more
      if (!(await this.outbox.claim(manager, 'events', id))) return;
      const [, started] = await manager.query<[unknown[], number]>(
        `UPDATE events.announcements AS announcement SET started_at = now() FROM events.events AS e
         WHERE announcement.event_id = $1 AND announcement.started_at IS NULL AND e.id = $1 AND ${ANNOUNCED}`,
        [eventId],
      );
      if (started !== 1) return;
      const mail = {
        id: "md5('announcement ' || $1::uuid || ' ' || user_id)::uuid",
        payload: "jsonb_build_object('eventId', $1::uuid, 'userId', user_id)",
      };
      await manager.query(
        `WITH people AS (${FOLLOWERS}
         ), mails AS (${insertJobs('events', AnnouncementMail, mail, 'FROM people ON CONFLICT (id) DO NOTHING RETURNING id')})
         UPDATE events.announcements SET recipients = (SELECT count(*) FROM mails) WHERE event_id = $1`,
        [eventId],
      );
      await manager.query(`SELECT ${notifyRelay('events')}`);
    });
  }
}

@HandlesJob(AnnouncementMail)
export class AnnouncementMailJob implements JobHandler<PayloadOf<typeof AnnouncementMail>> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: EventMails,
  ) {}

  /** Whoever stopped such mails, follows none of the topics any more, or has registered since they were written gets none. */
  async handle(
    { eventId, userId }: PayloadOf<typeof AnnouncementMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [follower] = await this.dataSource.query<{ topics: string[] }[]>(
      `SELECT ARRAY(
         SELECT topic.name FROM events.event_topics AS about JOIN events.topics AS topic ON topic.id = about.topic_id
         JOIN events.topic_follows AS follow ON follow.topic_id = topic.id AND follow.user_id = $2
         WHERE about.event_id = $1 ORDER BY about.position) AS topics
       FROM events.events AS e WHERE e.id = $1 AND ${ANNOUNCED} AND $2 IN (${FOLLOWERS})`,
      [eventId, userId],
    );
    const event = follower && (await this.mails.event(eventId));
    if (!event) return 'skipped';
    const { topics } = follower;
    return this.mails.send(
      job,
      { userId, ...event },
      { content: (mail) => eventAnnounced({ ...mail, topics }), list: 'announcements' },
    );
  }
}

export const eventAnnounced = eventTemplate<{ topics: string[] }>('event-announced', (mail) => {
  const topics = new Intl.ListFormat(mail.locale).format(mail.topics);
  return {
    subject: `New: ${mail.title}`,
    preview: mail.when.text,
    status: { words: 'New event', tone: 'news' },
    blocks: [
      paragraph(`There is a new event about ${topics}:`),
      rowsWithoutPlace(mail),
      ...(mail.about === null ? [] : [paragraph(mail.about)]),
      buttons({ label: 'View event', url: mail.eventUrl }),
    ],
    reason: `You get this mail because you follow ${topics} in ${mail.communityName}.`,
  };
});
