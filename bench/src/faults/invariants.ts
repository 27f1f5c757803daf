import type { ReceivedMail, SmtpSink } from '@meetmark/testing/mailbox/smtp-sink';
import { inTurns } from '@meetmark/testing';
import { toRegistrationKey, type Ledger } from './ledger.js';
import type { Rig } from './rig.js';
import type pg from 'pg';

interface TableInvariant {
  id: 'I1' | 'I2' | 'I11' | 'I12';
  broken: string;
  sql: string;
}

const TABLE_INVARIANTS: TableInvariant[] = [
  {
    id: 'I1',
    broken: 'members with two places at one event',
    sql: 'SELECT 1 FROM events.event_registrations WHERE user_id IS NOT NULL GROUP BY user_id, event_id HAVING count(*) > 1',
  },
  {
    id: 'I2',
    broken: 'events with more members than seats',
    sql: `SELECT 1 FROM events.events JOIN events.event_registrations r ON r.event_id = events.id
          WHERE r.status = 'registered' AND capacity IS NOT NULL GROUP BY events.id HAVING count(*) > capacity`,
  },
  {
    id: 'I11',
    broken: 'events with a free place beside somebody who waits',
    sql: `SELECT 1 FROM events.events JOIN events.event_registrations r ON r.event_id = events.id AND r.status <> 'cancelled'
          WHERE events.status = 'published' AND start_date > now() AND coalesce(registration_closes_at > now(), true)
          GROUP BY events.id HAVING count(*) > count(*) FILTER (WHERE r.status = 'registered')
            AND coalesce(count(*) FILTER (WHERE r.status = 'registered') < capacity, true)`,
  },
  {
    id: 'I11',
    broken: 'promotions with more than one mail',
    sql: "SELECT 1 FROM events.outbox WHERE job = 'mail.promoted' GROUP BY payload HAVING count(*) > 1",
  },
  {
    id: 'I12',
    broken: 'scans at a door that count twice',
    sql: 'SELECT 1 FROM events.check_ins GROUP BY event_id, key HAVING count(*) > 1',
  },
  {
    id: 'I12',
    broken: 'guests who are not in since their first check-in',
    sql: `SELECT 1 FROM events.check_ins c JOIN events.event_registrations r ON r.id = c.registration_id
          WHERE c.undone_at IS NULL GROUP BY r.id HAVING r.checked_in_at IS DISTINCT FROM min(c.at)`,
  },
];

export async function brokenTables(owner: pg.Pool): Promise<string[]> {
  const found: string[] = [];
  for (const { id, broken, sql } of TABLE_INVARIANTS) {
    const { rowCount } = await owner.query(sql);
    if (rowCount) found.push(`${id}: ${rowCount} ${broken}`);
  }
  return found;
}

const EVERY = 100;

/** Polls the tables during a fault, because the final state can hide a temporary violation. */
export class TableSampler {
  readonly broken = new Set<string>();
  samples = 0;
  private looking: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly rig: { owner: pg.Pool }) {
    this.timer = setInterval(() => void (this.looking ??= this.look()), EVERY);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private async look(): Promise<void> {
    try {
      for (const each of await brokenTables(this.rig.owner)) this.broken.add(each);
      this.samples += 1;
    } catch {
      // The query fails during faults that stop PostgreSQL.
    } finally {
      this.looking = undefined;
    }
  }
}

const AT_A_TIME = 4;
const OK = 200;
const NOBODY = 401;

/** Checks all invariants after the load has stopped. Returns a description of each broken one. */
export async function brokenInvariants(rig: Rig, ledger: Ledger): Promise<string[]> {
  const events = ledger.events;
  const rows = await fetchRegistrations(rig, events, 'registered');
  const waiting = await fetchRegistrations(rig, events, 'waitlisted');
  return [
    ...(await brokenTables(rig.owner)),
    ...brokenPlaces(ledger, rows, waiting),
    ...(await brokenConfirmations(rig, events)),
    ...(await brokenFigures(rig, events, rows)),
    ...(await brokenSessions(rig)),
  ];
}

/** Returns the keys (`toRegistrationKey`) of the events' registrations with the given status. */
async function fetchRegistrations(
  rig: Rig,
  events: string[],
  status: 'registered' | 'waitlisted',
): Promise<Set<string>> {
  const { rows } = await rig.owner.query<{ user_id: string; event_id: string }>(
    'SELECT user_id, event_id FROM events.event_registrations WHERE event_id = ANY($1) AND status = $2',
    [events, status],
  );
  return new Set(rows.map((row) => toRegistrationKey(row.user_id, row.event_id)));
}

/**
 * Checks that acknowledged registrations exist (I3), and that cancelled or never requested ones don't (I4).
 */
function brokenPlaces(ledger: Ledger, rows: Set<string>, waiting: Set<string>): string[] {
  const states = [...ledger.places];
  const lost = states.filter(([key, place]) => place === 'taken' && !rows.has(key));
  const back = states.filter(([key, place]) => place === 'free' && (rows.has(key) || waiting.has(key)));
  const forgotten = states.filter(
    ([key, place]) => place === 'waiting' && !rows.has(key) && !waiting.has(key),
  );
  const invented = [...rows, ...waiting].filter((key) => !ledger.places.has(key));
  return [
    ...(lost.length > 0 ? [`I3: ${lost.length} acknowledged registrations are missing`] : []),
    ...(forgotten.length > 0 ? [`I3: ${forgotten.length} who joined a waiting list are forgotten`] : []),
    ...(back.length > 0 ? [`I3: ${back.length} acknowledged cancellations are undone`] : []),
    ...(invented.length > 0 ? [`I4: ${invented.length} registrations that nobody asked for`] : []),
  ];
}

/** I11: each registration has exactly one confirmation email, either for registering or for a promotion. */
async function brokenConfirmations(rig: Rig, events: string[]): Promise<string[]> {
  const { rowCount } = await rig.owner.query(
    `SELECT 1 FROM events.event_registrations r LEFT JOIN events.outbox o
       ON o.job IN ('mail.registrationConfirmed', 'mail.promoted') AND o.payload ->> 'registrationId' = r.id::text
         AND (o.payload ->> 'registeredAt')::timestamptz = r.registered_at
     WHERE r.event_id = ANY($1) AND r.status = 'registered' GROUP BY r.id HAVING count(o.id) <> 1`,
    [events],
  );
  return rowCount ? [`I11: ${rowCount} places without their one mail`] : [];
}

export async function promotions({ owner }: Rig, { events }: Ledger): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `SELECT count(*)::integer FROM events.outbox JOIN events.event_registrations r ON r.id = (payload ->> 'registrationId')::uuid
     WHERE job = 'mail.promoted' AND r.event_id = ANY($1)`,
    [events],
  );
  return rows[0]!.count;
}

/** I5: the API's counts and lists match the table. */
async function brokenFigures(rig: Rig, events: string[], rows: Set<string>): Promise<string[]> {
  const counts = await inTurns(events, AT_A_TIME, async (event) => {
    const { status, body } = await rig.administrator.send('GET', `/api/events/${event}/count`);
    const stored = [...rows].filter((key) => key.endsWith(event)).length;
    return status === OK && (body as { count: number }).count === stored;
  });
  const lists = await inTurns(rig.members, AT_A_TIME, async (member) => {
    const { status, body } = await member.send('GET', '/api/my-events');
    if (status !== OK) return false;
    const listed = (body as { id: string }[]).filter(({ id }) => events.includes(id));
    return listed.length === [...rows].filter((key) => key.startsWith(member.id)).length;
  });
  const wrong = counts.filter((right) => !right).length;
  const wrongLists = lists.filter((right) => !right).length;
  return [
    ...(wrong > 0 ? [`I5: the counts of ${wrong} events are not those of the table`] : []),
    ...(wrongLists > 0 ? [`I5: My Events of ${wrongLists} members are not those of the table`] : []),
  ];
}

/** I7: all members stay signed in, except the one who signed out. */
export async function brokenSessions(rig: Rig): Promise<string[]> {
  const everybody = [rig.administrator, ...rig.members];
  const replies = await inTurns(everybody, AT_A_TIME, (member) => member.send('GET', '/api/user'));
  const lost = replies.filter(({ status }) => status !== OK).length;
  const left = await rig.leaver.send('GET', '/api/user');
  return [
    ...(lost > 0 ? [`I7: ${lost} of ${everybody.length} sessions are gone`] : []),
    ...(left.status === NOBODY ? [] : [`I7: a session that was ended is answered ${left.status}`]),
  ];
}

const CODE = /\b\d{6}\b/;

export const codeIn = (received: ReceivedMail | undefined) => CODE.exec(received?.mail.text ?? '')?.[0];

/**
 * I6: each acknowledged request for a code leads to an email, and duplicates are identical. Addresses without
 * a request get no email.
 */
export function brokenMails(sink: SmtpSink, ledger: Ledger, copiesAllowed: number): string[] {
  const broken: string[] = [];
  const received = byRecipient(sink);
  let copies = 0;
  for (const [email, outcome] of ledger.codes) {
    const mails = received.get(email) ?? [];
    if (outcome === 'ok' && mails.length === 0) broken.push(`I6: no mail for ${email}`);
    copies += Math.max(0, mails.length - 1);
    const ids = new Set(mails.map(({ mail }) => mail.messageId));
    const codes = new Set(mails.map(codeIn));
    if (ids.size > 1 || codes.size > 1) broken.push(`I6: two different mails for one request of ${email}`);
    if (codes.has(undefined)) broken.push(`I6: a mail without a code for ${email}`);
  }
  const uncalledFor = ledger.neverAsked.filter((email) => received.has(email)).length;
  if (uncalledFor > 0) broken.push(`I6: ${uncalledFor} accounts were written to for which nobody asked`);
  if (copies > copiesAllowed) broken.push(`I6: ${copies} copies of mails, ${copiesAllowed} are allowed`);
  return broken;
}

export function withoutMail(sink: SmtpSink, ledger: Ledger): string[] {
  const received = byRecipient(sink);
  return [...ledger.codes].flatMap(([email, outcome]) =>
    outcome === 'ok' && !received.has(email) ? [email] : [],
  );
}

/**
 * Groups the emails by recipient once. Searching all of them for each address would block this process, which
 * also runs the proxies.
 */
function byRecipient({ received }: SmtpSink): Map<string, ReceivedMail[]> {
  const mails = new Map<string, ReceivedMail[]>();
  for (const mail of received)
    for (const address of new Set(mail.recipients)) {
      const known = mails.get(address);
      if (known === undefined) mails.set(address, [mail]);
      else known.push(mail);
    }
  return mails;
}

/** I8: the administrators' chart matches the table. */
export async function brokenActivity(rig: Rig): Promise<string[]> {
  const { status, body } = await rig.administrator.send('GET', '/api/admin/registration-activity');
  if (status !== OK) return [`I8: the chart is answered ${status} ${JSON.stringify(body)}`];
  const shown = (body as { registrations: number }[]).reduce((sum, day) => sum + day.registrations, 0);
  const { rows } = await rig.owner.query<{ n: number }>(
    "SELECT count(*)::integer AS n FROM events.event_registrations WHERE status = 'registered'",
  );
  const stored = rows[0]?.n ?? 0;
  return shown === stored ? [] : [`I8: the chart shows ${shown} registrations of ${stored}`];
}
