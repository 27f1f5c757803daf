import { CleanUp, NamedInEventMail, SECURITY_EVENT_KINDS } from '@meetmark/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HandlesJob } from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';
import { RegistrationActivity } from './roll-up-activity.js';

/** Rows per statement, so that locks are held only briefly. */
const BATCH = 1_000;

/**
 * Deletes expired rows. Also recounts the registrations of all days, because cancellations and deletions
 * change past counts.
 */
@Injectable()
export class CleanUpJob {
  private readonly logger = new Logger(CleanUpJob.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly activity: RegistrationActivity,
    private readonly config: WorkerConfig,
  ) {}

  @HandlesJob(CleanUp)
  async handle(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error));
    for (const expired of [...EXPIRED, expiredAudit(this.config.auditRetentionDays)])
      await attempt(this.remove(expired));
    for (const statement of FORGOTTEN) await attempt(this.dataSource.query(statement));
    await attempt(this.activity.rollUp());
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} parts of the clean-up failed`);
  }

  private async remove({ table, key, rows }: Expired): Promise<void> {
    let removed = BATCH;
    let total = 0;
    while (removed === BATCH) {
      const [, count] = await this.dataSource.query<[unknown[], number]>(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${rows} LIMIT ${BATCH})`,
      );
      removed = count;
      total += count;
    }
    if (total > 0) this.logger.log(`Deleted ${total} expired rows of ${table}`);
  }
}

export interface Expired {
  table: string;
  key: string;
  rows: string;
}

/**
 * Limits all kinds together to a million rows. A tenth of each kind is for events without an account, because
 * anyone can cause those.
 */
const SECURITY_EVENTS_OF_A_KIND = Math.floor(1_000_000 / SECURITY_EVENT_KINDS.length);
const COUNTED = Math.floor(SECURITY_EVENTS_OF_A_KIND / 10);
const ROOMS = [
  { rows: 'hour IS NULL', kept: SECURITY_EVENTS_OF_A_KIND - COUNTED },
  { rows: 'hour IS NOT NULL', kept: COUNTED },
];

const FORGOTTEN = [
  'SELECT auth.forget_pending_emails()',
  `UPDATE events.event_registrations AS registration SET network = NULL FROM events.events AS event
   WHERE event.id = registration.event_id AND registration.network IS NOT NULL AND event.start_date < now()`,
];

/** Conditions use the database's clock, because it also set the times. */
const EXPIRED: Expired[] = [
  { table: 'gateway.sessions', key: 'sid', rows: 'expire < now()' },
  { table: 'gateway.idempotency_keys', key: 'user_id, key', rows: 'expire < now()' },
  // Map providers allow caching for up to a month.
  { table: 'gateway.maps', key: 'key', rows: `fetched_at < now() - interval '30 days'` },
  {
    table: 'auth.code_flows',
    key: 'id',
    rows: `created_at < now() - interval '1 day' AND link_expires_at < now()`,
  },
  { table: 'auth.pending_sign_ins', key: 'token_hash', rows: 'expires_at < now()' },
  { table: 'auth.data_exports', key: 'id', rows: 'expires_at < now()' },
  { table: 'auth.second_factor_setups', key: 'user_id, kind', rows: 'expires_at < now()' },
  { table: 'auth.sign_ups', key: 'key_hash', rows: `created_at < now() - interval '1 day'` },
  { table: 'auth.email_reverts', key: 'id', rows: `expires_at < now() - interval '1 day'` },
  // A request stores an image before the row that uses it. No request takes longer than a day.
  {
    table: 'auth.pictures',
    key: 'hash',
    rows: `created_at < now() - interval '1 day'
      AND NOT EXISTS (SELECT FROM auth.users WHERE profile_picture_hash = auth.pictures.hash)`,
  },
  {
    table: 'events.pictures',
    key: 'hash',
    rows: `created_at < now() - interval '1 day'
      AND NOT EXISTS (SELECT FROM events.events WHERE banner_hash = events.pictures.hash)
      AND NOT EXISTS (SELECT FROM events.events WHERE gallery_pictures <> '[]'
        AND gallery_pictures @> jsonb_build_array(jsonb_build_object('hash', events.pictures.hash)))`,
  },
  {
    table: 'admin.pictures',
    key: 'hash',
    rows: `created_at < now() - interval '1 day'
      AND NOT EXISTS (SELECT FROM admin.community_settings WHERE position(admin.pictures.hash IN settings::text) > 0)`,
  },
  { table: 'gateway.security_events', key: 'id', rows: `at < now() - interval '90 days'` },
  // Keeps the newest rows of each kind, so that an attack can't fill the disk or displace other kinds.
  ...SECURITY_EVENT_KINDS.flatMap((kind) =>
    ROOMS.map(({ rows, kept }) => ({
      table: 'gateway.security_events',
      key: 'id',
      rows: `kind = '${kind}' AND ${rows} AND (at, id) < (SELECT at, id FROM gateway.security_events
        WHERE kind = '${kind}' AND ${rows} ORDER BY at DESC, id DESC OFFSET ${kept - 1} LIMIT 1)`,
    })),
  ),
  // Calendars show a deleted event as cancelled until 30 days after its end.
  { table: 'events.deleted_events', key: 'id', rows: `end_date < now() - interval '31 days'` },
  // A message counts towards the daily limits. Its text (`body`) is erased once it has been emailed or given
  // up.
  {
    table: 'events.host_messages',
    key: 'id',
    rows: `written_at < now() - interval '2 days' AND (body IS NULL OR written_at < now() - interval '7 days')`,
  },
  {
    table: 'events.sent_mails',
    key: 'id',
    rows: `sent_at < now() - interval '24 hours' AND (kind <> '${NamedInEventMail.name}'
      OR NOT EXISTS (SELECT FROM events.events WHERE events.events.id = events.sent_mails.event_id))`,
  },
  { table: 'events.subscription_requests', key: 'id', rows: `requested_at < now() - interval '7 days'` },
  {
    table: 'events.subscriptions',
    key: 'id',
    rows: `NOT announcements AND NOT digest AND changed_at < now() - interval '7 days'`,
  },
  {
    table: 'events.imports',
    key: 'id',
    rows: `created_at < now() - interval '30 days' OR (state = 'preview' AND created_at < now() - interval '1 day')`,
  },
  { table: 'events.event_edits', key: 'event_id, version', rows: `edited_at < now() - interval '31 days'` },
  { table: 'auth.profile_edits', key: 'user_id, version', rows: `edited_at < now() - interval '31 days'` },
  ...['auth.outbox', 'events.outbox'].flatMap((table) => [
    { table, key: 'id', rows: `done_at < now() - interval '7 days'` },
    // The sweeper stops retrying a job after a day. It retries only audit entries without limit.
    {
      table,
      key: 'id',
      rows: `done_at IS NULL AND relayed_at < now() - interval '7 days' AND job NOT LIKE 'audit.%'`,
    },
  ]),
];

const expiredAudit = (days: number): Expired => ({
  table: 'admin.audit_log',
  key: 'id',
  rows: `at < now() - interval '${days} days'`,
});
