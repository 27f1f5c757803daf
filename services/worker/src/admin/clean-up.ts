import { CleanUp, SECURITY_EVENT_KINDS } from '@meetmark/contracts';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UnverifiedAccounts } from '../auth/unverified-accounts.js';
import { HandlesJob, type JobHandler } from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';
import { RegistrationActivity } from './roll-up-activity.js';

/** Rows removed by one statement: no lock is held for long. */
const BATCH = 1_000;

/** Removes expired rows and unverified accounts, and counts the activity of past days again, which unregistering and deletions change. */
@HandlesJob(CleanUp)
export class CleanUpJob implements JobHandler {
  private readonly logger = new Logger(CleanUpJob.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly activity: RegistrationActivity,
    private readonly config: WorkerConfig,
    private readonly unverified: UnverifiedAccounts,
  ) {}

  /** A failing part does not stop the others. */
  async handle(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error));
    for (const expired of [...EXPIRED, expiredAudit(this.config.auditRetentionDays)])
      await attempt(this.remove(expired));
    await attempt(this.unverified.settle());
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
    if (total > 0) this.logger.log(`${total} rows of ${table} had expired`);
  }
}

/** Rows to remove: a table, its key, and the condition. */
export interface Expired {
  table: string;
  key: string;
  rows: string;
}

/** A million over all kinds. Rows that count what no account has done have a tenth: with many networks somebody can make any number. */
const SECURITY_EVENTS_OF_A_KIND = Math.floor(1_000_000 / SECURITY_EVENT_KINDS.length);
const COUNTED = Math.floor(SECURITY_EVENTS_OF_A_KIND / 10);
const ROOMS = [
  { rows: 'hour IS NULL', kept: SECURITY_EVENTS_OF_A_KIND - COUNTED },
  { rows: 'hour IS NOT NULL', kept: COUNTED },
];

/** Judged by the database's clock, which also set the times. */
const EXPIRED: Expired[] = [
  { table: 'gateway.sessions', key: 'sid', rows: 'expire < now()' },
  { table: 'gateway.idempotency_keys', key: 'user_id, key', rows: 'expire < now()' },
  // A provider's maps change, and may be kept for a month.
  { table: 'gateway.maps', key: 'key', rows: `fetched_at < now() - interval '30 days'` },
  {
    table: 'auth.code_flows',
    key: 'id',
    rows: `created_at < now() - interval '1 day' AND link_expires_at < now()`,
  },
  { table: 'auth.pending_sign_ins', key: 'token_hash', rows: 'expires_at < now()' },
  { table: 'auth.second_factor_setups', key: 'user_id, kind', rows: 'expires_at < now()' },
  { table: 'auth.sign_ups', key: 'key_hash', rows: `created_at < now() - interval '1 day'` },
  { table: 'auth.email_reverts', key: 'id', rows: `expires_at < now() - interval '1 day'` },
  // A picture is stored before the row that shows it; a day is longer than any request takes.
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
  // A long attack must neither fill the disk nor push out what else happened: the newest of each kind stay.
  ...SECURITY_EVENT_KINDS.flatMap((kind) =>
    ROOMS.map(({ rows, kept }) => ({
      table: 'gateway.security_events',
      key: 'id',
      rows: `kind = '${kind}' AND ${rows} AND (at, id) < (SELECT at, id FROM gateway.security_events
        WHERE kind = '${kind}' AND ${rows} ORDER BY at DESC, id DESC OFFSET ${kept - 1} LIMIT 1)`,
    })),
  ),
  // Calendars list events of the last 30 days; subscribers have received a cancellation by then.
  { table: 'events.deleted_events', key: 'id', rows: `end_date < now() - interval '31 days'` },
  // Counted for a day; a mail that the server did not take for so long is given up with its text.
  {
    table: 'events.host_messages',
    key: 'id',
    rows: `written_at < now() - interval '2 days' AND (body IS NULL OR written_at < now() - interval '7 days')`,
  },
  { table: 'events.subscription_requests', key: 'id', rows: `requested_at < now() - interval '7 days'` },
  {
    table: 'events.subscriptions',
    key: 'id',
    rows: `NOT announcements AND NOT digest AND changed_at < now() - interval '7 days'`,
  },
  { table: 'events.event_edits', key: 'event_id, version', rows: `edited_at < now() - interval '31 days'` },
  { table: 'auth.profile_edits', key: 'user_id, version', rows: `edited_at < now() - interval '31 days'` },
  ...['auth.outbox', 'events.outbox'].flatMap((table) => [
    { table, key: 'id', rows: `done_at < now() - interval '7 days'` },
    // given up by the sweeper, see NOT_OLDER_THAN there; rows that no worker has taken yet stay open, as does every audit entry
    {
      table,
      key: 'id',
      rows: `done_at IS NULL AND relayed_at < now() - interval '7 days' AND job NOT LIKE 'audit.%'`,
    },
  ]),
];

/** Entries of the audit log, after the installation's own retention time. */
const expiredAudit = (days: number): Expired => ({
  table: 'admin.audit_log',
  key: 'id',
  rows: `at < now() - interval '${days} days'`,
});
