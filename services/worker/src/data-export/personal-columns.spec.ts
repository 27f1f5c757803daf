import { databaseForTests } from '@meetmark/platform/testing/database-for-tests';
import { KINDS, PICTURES } from './kinds.js';

const SCHEMAS = ['auth', 'events', 'admin', 'gateway'];

/** Columns, or whole tables, with personal data that no export contains, and why. */
const LEFT_OUT: Record<string, string> = {
  'auth.code_flows': 'Codes and links that expire within a day',
  'auth.data_export_parts': 'The export itself',
  'auth.data_exports': 'The export itself',
  'auth.email_reverts': 'Secrets, apart from the address and its date',
  'auth.pending_sign_ins': 'Secrets of unfinished sign-ins',
  'auth.recovery_codes': 'Secrets',
  'auth.second_factor_setups': 'Secrets',
  'auth.second_factors': 'Secrets, apart from kind, name and dates',
  'auth.setup_links': 'Secret that made the account',
  'auth.sign_ups': 'Repeats of the sign-up, for a day',
  'auth.users.accepted_pages': 'Repeats auth.consents',
  'auth.users.closed_at': 'Set only when the account is closed',
  'auth.users.feeds_ended_at': 'Makes old calendar URLs invalid',
  'auth.users.profile_version': 'Counts edits',
  'auth.users.search_text': 'Repeats other columns',
  'auth.users.session_epoch': 'Counts ended sessions',
  'auth.users.sort_name': 'Repeats other columns',
  'auth.users.version': 'Counts updates',
  'auth.wrong_codes': 'Counts attempts, for a day',
  'events.calendar_feeds.token_hash': 'Secret',
  'events.door_links.created_by_id': 'Secret link of an event',
  'events.door_refusals': 'Refused entries, which may be about someone else',
  'events.event_people.asked_by_id': 'About the person who was asked',
  'events.event_people.link_url': 'Only of people without an account',
  'events.event_people.name': 'Only of people without an account',
  'events.event_people.position': 'Order on the page',
  'events.event_previews': 'Secret link of an event',
  'events.event_registrations.entry_revision': 'Counts calendar entries',
  'events.event_registrations.guest_name': 'Only of people without an account',
  'events.event_registrations.network': 'Hash, until the event starts',
  'events.event_registrations.note': 'Organisers wrote it for each other',
  'events.imports': 'Names of imported files, for 30 days',
  'events.host_messages.writer_hash': 'Hash, for limits',
  'events.subscription_requests': 'Only of people without an account',
  'events.subscriptions': 'Only of people without an account',
  'gateway.idempotency_keys': 'Repeats of requests, for a day',
};

/**
 * Columns that refer to a person by a foreign key or by email address, and all columns of rows that are
 * deleted with an account.
 */
const PERSONAL = `
  WITH key AS (
    SELECT conrelid, conkey, confdeltype FROM pg_constraint
    WHERE contype = 'f' AND confrelid IN ('auth.users'::regclass, 'auth.data_exports'::regclass))
  SELECT a.attrelid::regclass::text AS table, a.attname AS column
  FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid AND c.relkind = 'r'
  WHERE c.relnamespace::regnamespace::text = ANY ($1) AND a.attnum > 0 AND NOT a.attisdropped AND (
    a.attrelid = 'auth.users'::regclass
    OR a.attname ~ 'email|^user_id|registered_user_ids|^(actor|subject)_id$'
    OR EXISTS (SELECT FROM key WHERE key.conrelid = a.attrelid AND (key.confdeltype = 'c' OR a.attnum = ANY (key.conkey))))
  ORDER BY 1, 2`;

describe('data exports', () => {
  const database = databaseForTests();

  async function readFunctions(): Promise<string[]> {
    const names = [...Object.values(KINDS).flatMap(({ from }) => from), ...PICTURES];
    const { rows } = await database.owner.query<{ source: string }>(
      `SELECT prosrc AS source FROM pg_proc WHERE pronamespace::regnamespace::text || '.' || proname = ANY ($1)`,
      [names],
    );
    expect(rows).toHaveLength(names.length);
    return rows.map(({ source }) => source);
  }

  it('contain each column about a person, or leave it out for a reason', async () => {
    const functions = await readFunctions();
    const { rows } = await database.owner.query<{ table: string; column: string }>(PERSONAL, [SCHEMAS]);
    const isExported = ({ table, column }: (typeof rows)[number]) =>
      functions.some((sql) => sql.includes(` ${table} `) && new RegExp(`\\b${column}\\b`).test(sql));
    const missing = rows.filter((row) => !isExported(row));
    const unexplained = missing.filter(
      ({ table, column }) => !(table in LEFT_OUT) && !(`${table}.${column}` in LEFT_OUT),
    );
    expect(unexplained).toEqual([]);
    const named = new Set(missing.flatMap(({ table, column }) => [table, `${table}.${column}`]));
    expect(Object.keys(LEFT_OUT).filter((name) => !named.has(name))).toEqual([]);
  });
});
