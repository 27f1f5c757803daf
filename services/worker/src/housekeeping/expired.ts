/** What nobody needs any more: a table, its key, and which rows. */
export interface Expired {
  table: string;
  key: string;
  rows: string;
}

/** The database's clock decides: it is the one that set the times. */
export const EXPIRED: Expired[] = [
  { table: 'gateway.sessions', key: 'sid', rows: 'expire < now()' },
  { table: 'gateway.idempotency_keys', key: 'user_id, key', rows: 'expire < now()' },
  {
    table: 'auth.code_flows',
    key: 'id',
    rows: `created_at < now() - interval '1 day' AND link_expires_at < now()`,
  },
  { table: 'auth.pending_sign_ins', key: 'token_hash', rows: 'expires_at < now()' },
  { table: 'auth.second_factor_setups', key: 'user_id, kind', rows: 'expires_at < now()' },
  { table: 'auth.sign_ups', key: 'key_hash', rows: `created_at < now() - interval '1 day'` },
  { table: 'auth.email_reverts', key: 'id', rows: `expires_at < now() - interval '1 day'` },
  // Pictures are stored before the row that shows them is written; a day is more than any request takes.
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
      AND NOT EXISTS (SELECT FROM events.events WHERE banner_hash = events.pictures.hash)`,
  },
  { table: 'gateway.security_events', key: 'id', rows: `at < now() - interval '90 days'` },
  // An attack that goes on for weeks must not fill the disk: the newest million stay.
  {
    table: 'gateway.security_events',
    key: 'id',
    rows: `(at, id) < (SELECT at, id FROM gateway.security_events ORDER BY at DESC, id DESC OFFSET 999999 LIMIT 1)`,
  },
  // Calendars list events of the last 30 days; subscribers have heard of a cancellation by then.
  { table: 'events.deleted_events', key: 'id', rows: `end_date < now() - interval '31 days'` },
  { table: 'events.event_edits', key: 'event_id, version', rows: `edited_at < now() - interval '31 days'` },
  { table: 'auth.profile_edits', key: 'user_id, version', rows: `edited_at < now() - interval '31 days'` },
  ...['auth.outbox', 'events.outbox'].flatMap((table) => [
    { table, key: 'id', rows: `done_at < now() - interval '7 days'` },
    // given up by the sweeper long ago, see NOT_OLDER_THAN there; what no worker has had yet is still to be done, as is every audit entry
    {
      table,
      key: 'id',
      rows: `done_at IS NULL AND relayed_at < now() - interval '7 days' AND job NOT LIKE 'audit.%'`,
    },
  ]),
];

/** Entries of the audit log, which each installation keeps for as long as it wants. */
export const expiredAudit = (days: number): Expired => ({
  table: 'admin.audit_log',
  key: 'id',
  rows: `at < now() - interval '${days} days'`,
});
