import { type Community, DigestMail, type PayloadOf, PlanDigest, REGISTERED } from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { InjectCommunity, insertJobs, notifyRelay } from '@meetmark/platform';
import {
  type Block,
  buttons,
  eventList,
  type ListedEvent,
  paragraph,
  subheading,
} from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { DateTime } from 'luxon';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { EventMails, type Listed, LISTED } from './event-mails.js';
import { mailWords } from '../mail/words.js';

const MONDAY = 1;
const HOUR = 8;
/** Members per statement, to limit its time and memory. */
const BATCH = 1_000;
const SHOWN = { fresh: 6, own: 6, nearlyFull: 3 };
/** Days that a community's first digest covers. */
const FIRST_SPAN = 7;

/**
 * Returns the date as 'YYYY-MM-DD' while the digest is due, otherwise null. The digest is due until the end
 * of Monday, so that an outage doesn't prevent it.
 */
export function digestDue(now: Date, timeZone: string): string | null {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  return local.weekday === MONDAY && local.hour >= HOUR ? local.toISODate() : null;
}

const PUBLIC = `events.is_listed(e)`;
const freshBetween = (since: string, until: string) =>
  `${PUBLIC} AND e.published_at >= ${since} AND e.published_at < ${until}`;
const NEARLY_FULL = `${PUBLIC} AND events.registration_refusal(e) IS NULL
  AND e.registration_count < e.capacity AND e.registration_count >= e.capacity * 0.8`;
const notOwn = (member: string) => `NOT EXISTS (
  SELECT FROM events.event_registrations AS r
  WHERE r.event_id = e.id AND r.user_id = ${member} AND r.status <> 'cancelled')`;
const ownEvents = (member: string, columns: string) => `
  SELECT ${columns} FROM events.event_registrations AS r JOIN events.events AS e ON e.id = r.event_id
  WHERE r.user_id = ${member} AND r.status = '${REGISTERED}' AND e.status = 'published' AND e.end_date > now() AND e.start_date < $2`;

const NEWS = `FROM events.events AS e JOIN events.digests AS digest ON digest.week = $1::date
  WHERE (${freshBetween('digest.since', 'digest.until')}) OR (${NEARLY_FULL})`;
/** The id is derived from week and reader, so that each reader gets one email. */
const mailTo = (key: 'userId' | 'subscriptionId') => ({
  id: "md5('digest ' || $1::text || ' ' || id)::uuid",
  payload: `jsonb_build_object('week', $1::text, '${key}', id)`,
});

const getWeekEnd = (week: string, zone: string) =>
  DateTime.fromISO(week, { zone }).plus({ weeks: 1 }).toJSDate();

@Injectable()
export class PlanDigestJob {
  constructor(
    private readonly dataSource: DataSource,
    @InjectCommunity() private readonly community: Pick<Community, 'timeZone'>,
  ) {}

  @HandlesJob(PlanDigest)
  async handle(): Promise<void> {
    const week = digestDue(new Date(), this.community.timeZone);
    if (week !== null) await this.plan(week);
  }

  /** Inserts the week's row and the emails in one transaction. The row is unique, so no email is repeated. */
  plan(week: string): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const [claimed] = await manager.query<{ week: string }[]>(
        `INSERT INTO events.digests AS digest (week, since, until)
         SELECT $1::date, coalesce(max(until), now() - make_interval(days => $2)), now() FROM events.digests
         ON CONFLICT DO NOTHING RETURNING week`,
        [week, FIRST_SPAN],
      );
      if (claimed === undefined) return;
      let last: string | null = '00000000-0000-0000-0000-000000000000';
      while (last !== null) last = await this.writeMails(manager, week, last);
      await this.writeVisitorsMails(manager, week);
      await manager.query(`SELECT ${notifyRelay('events')}`);
    });
  }

  /** Subscribers have no events of their own, so either all of them get an email or none does. */
  private async writeVisitorsMails(manager: EntityManager, week: string): Promise<void> {
    await manager.query(
      `WITH mails AS (${insertJobs(
        'events',
        DigestMail,
        mailTo('subscriptionId'),
        `FROM events.subscriptions WHERE digest AND EXISTS (SELECT ${NEWS})
         ON CONFLICT (id) DO NOTHING RETURNING id`,
      )})
       UPDATE events.digests SET recipients = recipients + (SELECT count(*) FROM mails) WHERE week = $1::date`,
      [week],
    );
  }

  private async writeMails(manager: EntityManager, week: string, after: string): Promise<string | null> {
    const [row] = await manager.query<[{ last: string | null }]>(
      `WITH batch AS (
         SELECT id, digest AND verified AND closed_at IS NULL AS wanted FROM auth.mail_recipient WHERE id > $3 ORDER BY id LIMIT ${BATCH}
       ), news AS MATERIALIZED (
         SELECT e.id ${NEWS}
       ), readers AS (
         SELECT id FROM batch WHERE wanted AND (
           EXISTS (SELECT FROM news AS e WHERE ${notOwn('batch.id')}) OR EXISTS (${ownEvents('batch.id', '')}))
       ), mails AS (
         ${insertJobs('events', DigestMail, mailTo('userId'), 'FROM readers ON CONFLICT (id) DO NOTHING RETURNING id')}
       ), counted AS (
         UPDATE events.digests SET recipients = recipients + (SELECT count(*) FROM mails) WHERE week = $1::date
       )
       SELECT max(id::text) AS last FROM batch`,
      [week, getWeekEnd(week, this.community.timeZone), after],
    );
    return row.last;
  }
}

interface DigestEvents {
  fresh: ListedEvent[];
  own: ListedEvent[];
  nearlyFull: ListedEvent[];
}

@Injectable()
export class DigestMailJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly mails: EventMails,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @HandlesJob(DigestMail)
  async handle({ week, ...reader }: PayloadOf<typeof DigestMail>, job: JobContext): Promise<MailOutcome> {
    if (getWeekEnd(week, this.community.timeZone) <= new Date()) return 'skipped';
    const recipient = await (reader.userId === undefined
      ? this.recipients.findSubscription(reader.subscriptionId)
      : this.recipients.find(reader.userId));
    if (recipient === null) return 'skipped';
    const locale = tagFor(recipient.locale, this.community);
    const events = await this.fetchEvents(reader.userId ?? reader.subscriptionId, week, locale);
    if (Object.values(events).every((part: ListedEvent[]) => part.length === 0)) return 'skipped';
    const content = weeklyDigest({
      ...events,
      locale,
      communityName: this.community.name,
      firstName: recipient.firstName || null,
      isMember: reader.userId !== undefined,
      homeUrl: this.links.home(),
    });
    return this.mailer.send({ job, recipient, content, list: 'digest' });
  }

  /** @param readerId id of a member or subscription; ids are unique across both */
  private async fetchEvents(readerId: string, week: string, locale: string): Promise<DigestEvents> {
    const find = async (statement: string, ...more: unknown[]): Promise<Listed[]> =>
      this.dataSource.query<Listed[]>(statement, [readerId, ...more]);
    const fresh = await find(
      `SELECT ${LISTED} FROM events.events AS e JOIN events.digests AS digest ON digest.week = $2::date
       WHERE ${freshBetween('digest.since', 'digest.until')} AND ${notOwn('$1')}
       ORDER BY ${FOLLOWED} DESC, e.start_date, e.id LIMIT ${SHOWN.fresh}`,
      week,
    );
    const own = await find(
      `${ownEvents('$1', LISTED)} ORDER BY e.start_date, e.id LIMIT ${SHOWN.own}`,
      getWeekEnd(week, this.community.timeZone),
    );
    const nearlyFull = await find(
      `SELECT ${LISTED} FROM events.events AS e
       WHERE ${NEARLY_FULL} AND ${notOwn('$1')} AND e.id <> ALL ($2::uuid[])
       ORDER BY ${FOLLOWED} DESC, e.start_date, e.id LIMIT ${SHOWN.nearlyFull}`,
      fresh.map(({ id }) => id),
    );
    const shown = (events: Listed[]) => events.map((event) => this.mails.listed(event, locale));
    return { fresh: shown(fresh), own: shown(own), nearlyFull: shown(nearlyFull) };
  }
}

const FOLLOWED = `(EXISTS (
  SELECT FROM events.event_topics AS about JOIN events.topic_follows AS follow ON follow.topic_id = about.topic_id
  WHERE about.event_id = e.id AND follow.user_id = $1)
  OR EXISTS (
  SELECT FROM events.event_topics AS about
  JOIN events.subscription_topics AS subscribed ON subscribed.topic_id = about.topic_id
  WHERE about.event_id = e.id AND subscribed.subscription_id = $1))`;

interface DigestVariables extends DigestEvents {
  communityName: string;
  locale: string;
  firstName: string | null;
  isMember: boolean;
  homeUrl: string;
}

const part = (title: string, events: ListedEvent[]): Block[] =>
  events.length === 0 ? [] : [subheading(title), eventList(events)];

export const weeklyDigest = defineTemplate<DigestVariables>('weekly-digest', (mail) => {
  const { communityName: community, fresh, own, nearlyFull } = mail;
  const words = mailWords(mail.locale).digest;
  const titles = [...fresh, ...own, ...nearlyFull].map(({ title }) => title);
  return {
    subject: words.subject({ community }),
    preview: titles.join(' · '),
    status: { words: words.status, tone: 'news' },
    title: words.subject({ community }),
    firstName: mail.firstName,
    blocks: [
      paragraph(words.what),
      ...part(words.own, own),
      ...part(words.fresh, fresh),
      ...part(words.nearlyFull, nearlyFull),
      buttons({ label: words.all, url: mail.homeUrl }),
    ],
    reason: mail.isMember ? words.reasonMember({ community }) : words.reasonVisitor({ community }),
  };
});
