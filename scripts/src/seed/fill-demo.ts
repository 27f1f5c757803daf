import { ARGON2 } from '@meetmark/auth/passwords/password-hasher';
import { toSlug } from '@meetmark/contracts';
import { hash } from '@node-rs/argon2';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import {
  DEMO_CONTENT,
  DEMO_PROPOSALS,
  DEMO_TOPICS,
  PAYMENT_NOTES,
  TONIGHT_QUESTIONS,
  WISHES,
} from './demo-content.js';
import { DEMO_EVENTS } from './demo-events.js';
import { asciiName, DEMO_MEMBERS, getEmail, getLinkedInUrl } from './demo-members.js';
import { randomFrom, shuffled } from './random.js';
import type { DemoAccounts } from './seed-demo.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days between the joining of two members. The last few members joined within the last month. */
const JOINED_EVERY = 8;
/** Index of the member who is an organiser and a co-host. */
const ORGANISER = 1;
const ANNOUNCED_DAYS_BEFORE = 45;
const FILLED_WITHIN_DAYS = 14;
const SHOWN = ['name', 'linkedin', 'name', 'linkedin', 'no'];
const FOLLOWS_EVERY = 3;
const PICTURE_SIZES = { members: { width: 320, height: 320 }, events: { width: 1600, height: 640 } };

async function insert(client: pg.Client, table: string, rows: object[], more = ''): Promise<void> {
  const columns = [...new Set(rows.flatMap(Object.keys))].join();
  await client.query(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) ${more}`,
    [JSON.stringify(rows)],
  );
}

async function fetchClock(client: pg.Client): Promise<(milliseconds: number) => Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT now() AS now');
  return (milliseconds) => new Date(rows[0]!.now.getTime() - milliseconds);
}

/** Stores the demo's images. Returns their hashes by file name. */
async function insertPictures(
  client: pg.Client,
  schema: 'auth' | 'events',
  kind: keyof typeof PICTURE_SIZES,
): Promise<Map<string, string>> {
  // This file is three folders deep in the source and build, and four in the bundle of `npm start`.
  const folder = ['../../..', '../../../..']
    .map((root) => path.resolve(import.meta.dirname, root, 'config/demo/pictures', kind))
    .find((each) => existsSync(each))!;
  const pictures = readdirSync(folder).map((file) => {
    const bytes = readFileSync(path.join(folder, file));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const row = { hash: sha256, bytes: `\\x${bytes.toString('hex')}`, mime: 'image/webp' };
    return { file: path.basename(file, '.webp'), row: { ...row, ...PICTURE_SIZES[kind] } };
  });
  const rows = pictures.map(({ row }) => row);
  await insert(client, `${schema}.pictures`, rows, 'ON CONFLICT DO NOTHING');
  return new Map(pictures.map(({ file, row }) => [file, row.hash]));
}

interface People {
  adminId: string;
  memberIds: string[];
}

async function insertUsers(
  client: pg.Client,
  { administrator, memberPassword }: DemoAccounts,
  avatars: Map<string, string>,
): Promise<People> {
  const ago = await fetchClock(client);
  const [adminHash, memberHash] = await Promise.all(
    [administrator.password, memberPassword].map((password) => hash(password, ARGON2)),
  );
  const user = (email: string, password_hash: string | undefined, days: number, more: object) => {
    const at = ago(days * DAY);
    const rights = { is_admin: false, is_organiser: false };
    const dates = { created_at: at, updated_at: at, email_verified_at: at };
    return { id: uuidv7(), email, password_hash, ...rights, ...dates, ...more };
  };
  const admin = user(administrator.email, adminHash, 400, {
    ...{ first_name: 'Alex', last_name: 'Morley', is_admin: true },
    description: 'I look after this community: events, venues and the biscuit budget.',
  });
  const members = DEMO_MEMBERS.map((member, index) =>
    user(getEmail(member), memberHash, 1 + (DEMO_MEMBERS.length - 1 - index) * JOINED_EVERY, {
      ...{ first_name: member.firstName, last_name: member.lastName, is_organiser: index === ORGANISER },
      ...{ description: member.description, linked_in_url: getLinkedInUrl(member) },
      profile_picture_hash: avatars.get(asciiName(member)),
    }),
  );
  await insert(client, 'auth.users', [admin, ...members]);
  return { adminId: admin.id, memberIds: members.map(({ id }) => id) };
}

/** Inserts the demo's events. `banners` maps image names to hashes. Leaves out images without a hash. */
export async function insertEvents(
  client: pg.Client,
  adminId: string,
  banners: Map<string, string>,
  timeZone: string,
) {
  const ago = await fetchClock(client);
  const seriesId = uuidv7();
  const times = await client.query<{ start: Date; end: Date }>(
    `SELECT coalesce(began, local AT TIME ZONE $2) AS start,
            coalesce(began + length, (local + length) AT TIME ZONE $2) AS "end"
       FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (day int, "time" time, hours float, "minutesBefore" int))
              WITH ORDINALITY AS r(day, "time", hours, "minutesBefore", at),
            LATERAL (SELECT (now() AT TIME ZONE $2)::date + day + coalesce("time", '00:00') AS local,
                            date_trunc('hour', now()) - "minutesBefore" * interval '1 minute' AS began,
                            -- an all-day event includes its last minute
                            hours * interval '1 hour' - CASE WHEN "time" IS NULL THEN interval '1 minute' ELSE '0' END AS length) AS times
      ORDER BY at`,
    [JSON.stringify(DEMO_EVENTS), timeZone],
  );
  const events = DEMO_EVENTS.map((event, index) => {
    const announced = ago(Math.max(FILLED_WITHIN_DAYS + 1, ANNOUNCED_DAYS_BEFORE - event.day) * DAY);
    return { ...event, id: uuidv7(), ...times.rows[index]!, announced };
  });
  await insert(
    client,
    'events.events',
    events.map((event) => ({
      ...{ id: event.id, title: event.title, description: event.description },
      ...{ start_date: event.start, end_date: event.end, is_all_day: event.time === null },
      ...{ location: event.location, format: event.format, visibility: event.visibility },
      ...{ price: event.price, payment_note: PAYMENT_NOTES[event.title] ?? null },
      ...{ capacity: event.capacity, waitlist_enabled: event.waiting !== null },
      ...{ status: event.isDraft ? 'draft' : 'published', series_id: event.isInSeries ? seriesId : null },
      ...{ created_by_id: adminId, created_at: event.announced, updated_at: event.announced },
      banner_hash: banners.get(toSlug(event.title)) ?? null,
      gallery_pictures: (DEMO_CONTENT[event.title]?.gallery ?? [])
        .map(({ cover, alt }) => ({ id: uuidv7(), hash: banners.get(cover), alt }))
        .filter((picture) => picture.hash !== undefined),
    })),
  );
  return events;
}

type SeededEvents = Awaited<ReturnType<typeof insertEvents>>;

async function insertContents(
  client: pg.Client,
  events: SeededEvents,
  { adminId, memberIds }: People,
): Promise<void> {
  const ago = await fetchClock(client);
  const contents = events.map(({ id, title, location, format, start }) => {
    const content = DEMO_CONTENT[title] ?? {};
    const [name, ...address] = (format === 'online' ? null : location)?.split(', ') ?? [];
    const after = (minutes?: number) =>
      minutes === undefined ? null : new Date(start.getTime() + minutes * 60_000);
    return {
      ...{ event_id: id, venue_name: name ?? null, venue_address: address.join(', ') || null },
      ...{ online_url: content.onlineUrl ?? null, online_note: content.onlineNote ?? null },
      ...{ accessibility: content.accessibility ?? null, recap: content.recap ?? null },
      resources: content.resources ?? [],
      agenda: (content.agenda ?? []).map(({ at, until, title: item, note = null }) => ({
        ...{ startsAt: after(at), endsAt: after(until), title: item, note },
      })),
    };
  });
  await insert(client, 'events.event_contents', contents);
  const now = ago(0);
  const people = events.flatMap(({ id: event_id, title }) => {
    const { hosts, speakers = [] } = DEMO_CONTENT[title] ?? {};
    const hostIds = hosts === undefined ? [] : [adminId, ...hosts.map((index) => memberIds[index])];
    const row = (role: 'host' | 'speaker', position: number, user_id?: string) => {
      const manages = role === 'host' && user_id === memberIds[ORGANISER];
      const agreed = { agreed_at: user_id && now, manages, manages_agreed_at: manages ? now : null };
      return { event_id, role, position, user_id, ...agreed };
    };
    return [
      ...speakers.map(({ member, name, title: role, bio, linkUrl: link_url }, position) => ({
        ...row('speaker', position, member === undefined ? undefined : memberIds[member]),
        ...{ name, title: role, bio, link_url },
      })),
      ...hostIds.map((id, position) => row('host', position, id)),
    ];
  });
  await insert(client, 'events.event_people', people);
}

async function insertTopics(client: pg.Client, events: SeededEvents, memberIds: string[]): Promise<void> {
  const topics = DEMO_TOPICS.map(({ titles, ...topic }, index) => ({
    ...{ titles, row: { id: uuidv7(), ...topic, place: index + 1 } },
  }));
  await insert(
    client,
    'events.topics',
    topics.map(({ row }) => row),
  );
  const about = events.flatMap(({ id, title }) =>
    topics
      .filter(({ titles }) => titles.test(title))
      .map(({ row }, index) => ({ event_id: id, topic_id: row.id, position: index + 1 })),
  );
  await insert(client, 'events.event_topics', about);
  const follows = memberIds.flatMap((user_id, index) => {
    const { row } = topics[Math.floor(index / FOLLOWS_EVERY) % topics.length]!;
    return index % FOLLOWS_EVERY === 0 ? [{ topic_id: row.id, user_id }] : [];
  });
  await insert(client, 'events.topic_follows', follows);
}

export async function insertRegistrations(
  client: pg.Client,
  events: SeededEvents,
  memberIds: string[],
): Promise<void> {
  const ago = await fetchClock(client);
  const random = randomFrom('registrations');
  const registrations = events.flatMap((event) =>
    shuffled(random, event.isLeftToMember ? memberIds.slice(1) : memberIds)
      .slice(0, event.registered + (event.waiting ?? 0))
      .map((user_id, index) => ({
        ...{ id: uuidv7(), event_id: event.id, user_id, show_me: SHOWN[index % SHOWN.length] },
        status: index < event.registered ? 'registered' : 'waitlisted',
        registered_at: ago((Math.max(0, -event.day) + random() ** 2 * FILLED_WITHIN_DAYS) * DAY),
      })),
  );
  await insert(client, 'events.event_registrations', registrations);
  await client.query(
    `INSERT INTO events.check_ins (event_id, key, registration_id, at)
     SELECT event_id, gen_random_uuid(), id, came.start_date + came.place % 25 * interval '1 minute'
       FROM (SELECT r.id, r.event_id, e.start_date, row_number() OVER (ORDER BY r.registered_at, r.id) AS place
               FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
              WHERE e.end_date < now() AND r.status = 'registered') AS came
      WHERE place % 6 <> 0`,
  );
  for (const { id, cancelled } of events.filter((event) => event.cancelled !== null))
    await client.query(
      `UPDATE events.events SET status = 'cancelled', cancelled_at = now(), cancel_reason = $2, sequence = 1 WHERE id = $1`,
      [id, cancelled],
    );
}

const TONIGHT = {
  guests: 60,
  checkedIn: 41,
  firstNames: ['Robin', 'Sasha', 'Kim', 'Jo', 'Alex', 'Sam', 'Toni'],
  notes: { 2: 'Speaks third, brings an own laptop', 11: 'Vegan', 45: 'Comes with a guide dog' } as Record<
    number,
    string
  >,
};

/** Inserts an event that is in progress. The first member isn't registered for it. */
export async function insertTonight(client: pg.Client, { adminId, memberIds }: People): Promise<void> {
  const ago = await fetchClock(client);
  const [id, linkId] = [uuidv7(), uuidv7()];
  const start = new Date(Math.floor(ago(0).getTime() / HOUR) * HOUR - HOUR);
  const created = new Date(start.getTime() - 30 * DAY);
  await insert(client, 'events.events', [
    {
      ...{ id, title: 'Search Social: Sixty at the Mill', capacity: TONIGHT.guests, created_by_id: adminId },
      description: 'Lightning talks, a long bar and a guest list of sixty.',
      ...{ start_date: start, end_date: new Date(start.getTime() + 4 * HOUR) },
      ...{ location: 'Hope Mill, Pollard Street, Manchester', price: 10 },
      ...{ payment_note: 'Card or cash at the door', created_at: created, updated_at: created },
    },
  ]);
  const questions = TONIGHT_QUESTIONS.map((question) => ({ id: uuidv7(), ...question }));
  const venue = { venue_name: 'Hope Mill', venue_address: 'Pollard Street, Manchester' };
  await insert(client, 'events.event_contents', [{ event_id: id, ...venue, questions }]);
  const members = memberIds.slice(1);
  const random = randomFrom('tonight');
  const guests = Array.from({ length: TONIGHT.guests }, (_, n) => ({
    ...{ id: uuidv7(), event_id: id, user_id: members[n] },
    guest_name: n < members.length ? null : `${TONIGHT.firstNames[n % TONIGHT.firstNames.length]} Guest ${n}`,
    show_me: n < members.length ? 'name' : 'no',
    registered_at: ago((24 + Math.round(random() ** 2 * 28 * 24)) * HOUR),
    note: TONIGHT.notes[n],
    paid_at: n < TONIGHT.checkedIn && n % 4 !== 3 ? ago(10 * 60_000) : null,
    answers: n < members.length ? answersTo(questions, n) : null,
  }));
  await insert(client, 'events.event_registrations', guests);
  const link = {
    id: linkId,
    event_id: id,
    token_hash: `\\x${createHash('sha256').update(uuidv7()).digest('hex')}`,
  };
  await insert(client, 'events.door_links', [{ ...link, created_by_id: adminId, created_at: ago(DAY) }]);
  const checkIns = guests.slice(0, TONIGHT.checkedIn).map(({ id: registration_id }, n) => ({
    ...{ event_id: id, key: uuidv7(), registration_id, link_id: linkId },
    at: new Date(start.getTime() + n * 60_000),
  }));
  await insert(client, 'events.check_ins', checkIns);
  await insertMessages(client, id, adminId);
}

function answersTo(questions: { id: string; kind: string; options: readonly string[] }[], n: number) {
  const answers = questions.map(({ id, kind, options }) => {
    if (kind === 'choice') return [id, options[((n * n) % 7) % options.length]];
    if (kind === 'yesNo') return [id, n % 3 === 0];
    return [id, n % 2 === 0 ? WISHES[(n / 2) % WISHES.length] : undefined];
  });
  return Object.fromEntries(answers) as Record<string, string | boolean | undefined>;
}

async function insertMessages(client: pg.Client, eventId: string, adminId: string): Promise<void> {
  const ago = await fetchClock(client);
  const yesterday = ago(DAY);
  const later = new Date(Math.floor(ago(0).getTime() / HOUR + 16) * HOUR);
  const common = { event_id: eventId, author_id: adminId, created_at: yesterday };
  const sent = {
    ...{ id: uuidv7(), ...common, segment: 'registered', reply_to: 'author', state: 'sent' },
    ...{ subject: 'Tomorrow: doors, dinner and parking', send_at: yesterday, started_at: yesterday },
    body: 'Doors open **half an hour early**.\n\n- Soup and bread until the first talk\n- Park behind the mill, not on Pollard Street',
  };
  const scheduled = {
    ...{ id: uuidv7(), ...common, segment: 'came', reply_to: 'community', state: 'scheduled' },
    ...{ subject: 'Thank you for coming', send_at: later },
    body: 'The slides follow on the event’s page.\n\nTell us what you would like to hear next.',
  };
  await insert(client, 'events.messages', [sent, scheduled]);
  await client.query(
    `WITH recipient AS (
       INSERT INTO events.message_recipients (message_id, registration_id, state, at)
       SELECT $1, id, CASE row_number() OVER (ORDER BY id) WHEN 7 THEN 'refused' WHEN 19 THEN 'skipped' ELSE 'sent' END, now() - interval '1 day'
         FROM events.event_registrations WHERE event_id = $2 AND user_id IS NOT NULL RETURNING state)
     UPDATE events.messages SET recipients = counted.recipients, sent = counted.sent, refused = 1, skipped = 1
       FROM (SELECT count(*) AS recipients, count(*) FILTER (WHERE state = 'sent') AS sent FROM recipient) AS counted
      WHERE id = $1`,
    [sent.id, eventId],
  );
  const payload = { messageId: scheduled.id, sendAt: later.toISOString() };
  await insert(client, 'events.outbox', [
    { id: uuidv7(), job: 'messages.send', payload, available_at: later },
  ]);
}

async function insertProposals(client: pg.Client, memberIds: string[]): Promise<void> {
  const ago = await fetchClock(client);
  const midnight = Math.floor(ago(0).getTime() / DAY) * DAY;
  const proposals = DEMO_PROPOSALS.map(({ member, days, days_ago, words, ...proposal }) => {
    const start = midnight + days * DAY + 18 * HOUR;
    return {
      ...{ id: uuidv7(), proposer_id: memberIds[member], ...proposal, words },
      ...{ start_date: new Date(start), end_date: new Date(start + 2 * HOUR) },
      ...{ proposed_at: ago(days_ago * DAY), decided_at: words === undefined ? null : ago(2 * DAY) },
    };
  });
  await insert(client, 'events.proposals', proposals);
}

export async function fill(client: pg.Client, accounts: DemoAccounts): Promise<void> {
  const { timeZone } = accounts;
  await client.query('BEGIN');
  // Marks this week's digest as sent. Otherwise, a worker that is already running might send it to new
  // members.
  await client.query(
    `INSERT INTO events.digests (week, since, until)
     VALUES (date_trunc('week', now() AT TIME ZONE $1)::date, now() - interval '7 days', now())
     ON CONFLICT DO NOTHING`,
    [timeZone],
  );
  const avatars = await insertPictures(client, 'auth', 'members');
  const banners = await insertPictures(client, 'events', 'events');
  const people = await insertUsers(client, accounts, avatars);
  const events = await insertEvents(client, people.adminId, banners, timeZone);
  await insertContents(client, events, people);
  await insertTopics(client, events, people.memberIds);
  await insertRegistrations(client, events, people.memberIds);
  await insertTonight(client, people);
  await insertProposals(client, people.memberIds);
  // Fills the administrators' chart of registrations. Later, a worker counts them again.
  await client.query(
    `INSERT INTO admin.registration_activity (day, registrations)
     SELECT (registered_at AT TIME ZONE $1)::date, count(*) FROM events.event_registrations WHERE status = 'registered' GROUP BY 1`,
    [timeZone],
  );
  await client.query('COMMIT');
}
