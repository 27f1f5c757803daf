import { type EventFormat, type ShowMe, slugOf } from '@meetmark/contracts';
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
import { asciiName, DEMO_MEMBERS, emailOf, linkedInOf } from './demo-members.js';
import type { Picture } from './pictures.js';
import { randomFrom, shuffled } from './random.js';

/** Rows travel as one JSON array a statement: one round trip a table, whatever their number. */
async function insert(
  client: pg.Client,
  statement: string,
  rows: object[],
  ...more: unknown[]
): Promise<void> {
  await client.query(statement, [JSON.stringify(rows), ...more]);
}

export async function insertPictures(
  client: pg.Client,
  schema: 'auth' | 'events',
  pictures: Picture[],
): Promise<void> {
  await insert(
    client,
    `INSERT INTO ${schema}.pictures (hash, bytes, mime, width, height)
     SELECT hash, decode(bytes, 'base64'), 'image/webp', width, height
       FROM jsonb_to_recordset($1::jsonb) AS r(hash text, bytes text, width int, height int)
     ON CONFLICT DO NOTHING`,
    pictures.map((picture) => ({ ...picture, bytes: picture.bytes.toString('base64') })),
  );
}

/** Days between two new members; the last few joined within the past month. */
const JOINED_EVERY = 8;

/** The member who is an organiser, and co-hosts what they host. */
const ORGANISER = 1;

export async function insertUsers(
  client: pg.Client,
  people: { email: string; adminHash: string; memberHash: string; avatars: Map<string, Picture> },
): Promise<{ adminId: string; memberIds: string[] }> {
  const administrator = {
    id: uuidv7(),
    email: people.email,
    password_hash: people.adminHash,
    first_name: 'Alex',
    last_name: 'Morley',
    description: 'I look after this community: events, venues and the biscuit budget.',
    linked_in_url: null,
    profile_picture_hash: null,
    is_admin: true,
    is_organiser: false,
    days_ago: 400,
  };
  const members = DEMO_MEMBERS.map((member, index) => ({
    id: uuidv7(),
    email: emailOf(member),
    password_hash: people.memberHash,
    first_name: member.firstName,
    last_name: member.lastName,
    description: member.description,
    linked_in_url: linkedInOf(member),
    profile_picture_hash: people.avatars.get(asciiName(member))?.hash,
    is_admin: false,
    is_organiser: index === ORGANISER,
    days_ago: 1 + (DEMO_MEMBERS.length - 1 - index) * JOINED_EVERY,
  }));
  await insert(
    client,
    `INSERT INTO auth.users (id, email, password_hash, first_name, last_name, description, linked_in_url,
                             profile_picture_hash, is_admin, is_organiser, created_at, updated_at, email_verified_at)
     SELECT id, email, password_hash, first_name, last_name, description, linked_in_url, profile_picture_hash, is_admin, is_organiser,
            now() - days_ago * interval '1 day', now() - days_ago * interval '1 day', now() - days_ago * interval '1 day'
       FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, email text, password_hash text, first_name text, last_name text,
            description text, linked_in_url text, profile_picture_hash text, is_admin boolean, is_organiser boolean, days_ago int)`,
    [administrator, ...members],
  );
  return { adminId: administrator.id, memberIds: members.map(({ id }) => id) };
}

export interface SeededEvent {
  id: string;
  title: string;
  location: string | null;
  format: EventFormat;
  day: number;
  registered: number;
  waiting: number;
  leftToMember: boolean;
  cancelled: string | null;
}

const ANNOUNCED_DAYS_BEFORE = 45;
/** Upcoming events filled up over the last two weeks, so that the administrators' chart has a week to show. */
const FILLED_WITHIN_DAYS = 14;
/** What one after the other of those who come shows of themselves. */
const SHOWN: ShowMe[] = ['name', 'linkedin', 'name', 'linkedin', 'no'];

export async function insertEvents(
  client: pg.Client,
  adminId: string,
  /** By the slugs of the titles of those events that have a cover. Without them there are no galleries. */
  banners: Map<string, Picture>,
  timeZone: string,
): Promise<SeededEvent[]> {
  const series = new Map(DEMO_EVENTS.map(({ series: name }) => [name, name === undefined ? null : uuidv7()]));
  const events = DEMO_EVENTS.map((event) => ({
    ...event,
    id: uuidv7(),
    time: event.time ?? '00:00',
    // The last minute of the day: the end belongs to the event.
    minutes: event.time === null ? event.hours * 60 - 1 : event.hours * 60,
    is_all_day: event.time === null,
    format: event.format ?? 'in_person',
    waitlist_enabled: !event.withoutWaitingList,
    minutes_before: event.minutesBefore ?? null,
    status: event.draft ? 'draft' : 'published',
    visibility: event.visibility ?? 'public',
    series_id: series.get(event.series) ?? null,
    banner_hash: banners.get(slugOf(event.title))?.hash ?? null,
    gallery_pictures: (DEMO_CONTENT[event.title]?.gallery ?? []).flatMap(({ cover, alt }) => {
      const hash = banners.get(cover)?.hash;
      return hash === undefined ? [] : [{ id: uuidv7(), hash, alt }];
    }),
    payment_note: PAYMENT_NOTES[event.title] ?? null,
    announced_days_ago: Math.max(FILLED_WITHIN_DAYS + 1, ANNOUNCED_DAYS_BEFORE - event.day),
  }));
  await insert(
    client,
    `INSERT INTO events.events (id, title, description, start_date, end_date, location, is_all_day, format, banner_hash, gallery_pictures,
                                price, payment_note, capacity, waitlist_enabled, status, visibility, series_id, created_by_id, created_at, updated_at)
     SELECT id, title, description, coalesce(began, begins AT TIME ZONE $3),
            coalesce(began + minutes * interval '1 minute', (begins + minutes * interval '1 minute') AT TIME ZONE $3),
            location, is_all_day, format, banner_hash, gallery_pictures,
            price, payment_note, capacity, waitlist_enabled, status, visibility, series_id, $2, now() - announced_days_ago * interval '1 day', now() - announced_days_ago * interval '1 day'
       FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, title text, description text, day int, "time" time, minutes int,
            location text, is_all_day boolean, format text, banner_hash text, gallery_pictures jsonb, price numeric, payment_note text, capacity int,
            waitlist_enabled boolean, minutes_before int, status text, visibility text, series_id uuid, announced_days_ago int),
            LATERAL (SELECT (now() AT TIME ZONE $3)::date + day + "time" AS begins,
                            date_trunc('hour', now()) - minutes_before * interval '1 minute' AS began) AS local`,
    events,
    adminId,
    timeZone,
  );
  return events.map(({ id, title, location, format, day, registered, ...event }) => ({
    id,
    title,
    location,
    format,
    day,
    registered,
    waiting: event.waiting ?? 0,
    leftToMember: event.leftToMember ?? false,
    cancelled: event.cancelled ?? null,
  }));
}

/** The place of every event, and what some are made of besides. */
export async function insertContents(
  client: pg.Client,
  events: SeededEvent[],
  { adminId, memberIds }: { adminId: string; memberIds: string[] },
): Promise<void> {
  const contents = events.map(({ id, title, location, format }) => {
    const {
      onlineUrl,
      onlineNote,
      accessibility,
      agenda = [],
      resources = [],
      recap,
    } = DEMO_CONTENT[title] ?? {};
    const [name, ...address] = (format === 'online' ? null : location)?.split(', ') ?? [];
    return {
      id,
      venue_name: name ?? null,
      venue_address: address.join(', ') || null,
      online_url: onlineUrl ?? null,
      online_note: onlineNote ?? null,
      accessibility: accessibility ?? null,
      agenda,
      resources,
      recap: recap ?? null,
    };
  });
  await insert(
    client,
    `INSERT INTO events.event_contents (event_id, venue_name, venue_address, online_url, online_note, accessibility, agenda,
       resources, recap)
     SELECT r.id, venue_name, venue_address, online_url, online_note, accessibility,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('startsAt', iso(at), 'endsAt', iso(until), 'title', item.title, 'note', note)
                                       ORDER BY at), '[]')
               FROM jsonb_to_recordset(agenda) AS item(at int, until int, title text, note text)),
            resources, recap
       FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, venue_name text, venue_address text, online_url text, online_note text,
            accessibility text, agenda jsonb, resources jsonb, recap text)
       JOIN events.events ON events.id = r.id`.replaceAll(
      /iso\((\w+)\)/g,
      `to_char((start_date + $1 * interval '1 minute') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    ),
    contents,
  );
  const people = events.flatMap(({ id: event_id, title }) => {
    const { hosts, speakers = [] } = DEMO_CONTENT[title] ?? {};
    const ids = hosts === undefined ? [] : [adminId, ...hosts.map((index) => memberIds[index])];
    return [
      ...ids.map((user_id, position) => ({
        ...{ event_id, role: 'host', position, user_id },
        manages: user_id === memberIds[ORGANISER],
      })),
      ...speakers.map(({ member, linkUrl, ...speaker }, position) => ({
        ...speaker,
        ...{ event_id, role: 'speaker', position, link_url: linkUrl ?? null },
        user_id: member === undefined ? null : memberIds[member],
      })),
    ];
  });
  await insert(
    client,
    `INSERT INTO events.event_people (event_id, role, position, user_id, name, title, bio, link_url, agreed_at,
       manages, manages_agreed_at)
     SELECT event_id, role, position, user_id, name, title, bio, link_url, CASE WHEN user_id IS NOT NULL THEN now() END,
       coalesce(manages, false), CASE WHEN manages THEN now() END
       FROM jsonb_to_recordset($1::jsonb) AS r(event_id uuid, role text, position int, user_id uuid, name text, title text,
            bio text, link_url text, manages boolean)`,
    people,
  );
}

/**
 * Marks this week's digest as sent: the demo's members get none. Call it before the members are inserted, since a worker may run at any
 * moment.
 */
export async function insertDigest(client: pg.Client, timeZone: string): Promise<void> {
  await client.query(
    `INSERT INTO events.digests (week, since, until)
     VALUES (date_trunc('week', now() AT TIME ZONE $1)::date, now() - interval '7 days', now())
     ON CONFLICT DO NOTHING`,
    [timeZone],
  );
}

/** Every third member follows a topic. */
const FOLLOWS_EVERY = 3;

export async function insertTopics(
  client: pg.Client,
  events: SeededEvent[],
  memberIds: string[],
): Promise<void> {
  const topics = DEMO_TOPICS.map(({ slug, name, titles }, index) => ({
    ...{ id: uuidv7(), slug, name, titles },
    place: index + 1,
  }));
  await insert(
    client,
    `INSERT INTO events.topics (id, slug, name, place)
     SELECT id, slug, name, place FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, slug text, name text, place int)`,
    topics,
  );
  const about = events.flatMap(({ id, title }) =>
    topics
      .filter(({ titles }) => titles.test(title))
      .map((topic, index) => ({ event_id: id, topic_id: topic.id, position: index + 1 })),
  );
  await insert(
    client,
    `INSERT INTO events.event_topics (event_id, topic_id, position)
     SELECT event_id, topic_id, position FROM jsonb_to_recordset($1::jsonb) AS r(event_id uuid, topic_id uuid, position int)`,
    about,
  );
  await insert(
    client,
    `INSERT INTO events.topic_follows (topic_id, user_id)
     SELECT topic_id, user_id FROM jsonb_to_recordset($1::jsonb) AS r(topic_id uuid, user_id uuid)`,
    memberIds.flatMap((user_id, index) => {
      const topic = topics[Math.floor(index / FOLLOWS_EVERY) % topics.length]!;
      return index % FOLLOWS_EVERY === 0 ? [{ topic_id: topic.id, user_id }] : [];
    }),
  );
}

/** Within which people registered for the evening. */
const ANNOUNCED_HOURS = 28 * 24;
const TONIGHT = {
  guests: 60,
  in: 41,
  firstNames: ['Robin', 'Sasha', 'Kim', 'Jo', 'Alex', 'Sam', 'Toni'],
  /** Of the organisers, by the guest's number. */
  notes: { 2: 'Speaks third, brings an own laptop', 11: 'Vegan', 45: 'Comes with a guide dog' } as Record<
    number,
    string
  >,
};

/**
 * An evening that has begun, with 41 of 60 in: members, all but the one whom the demo signs in as, and people without an account. It lies
 * by the clock and not by the day, so that it is under way whenever the demo is made.
 */
export async function insertTonight(
  client: pg.Client,
  { adminId, memberIds }: { adminId: string; memberIds: string[] },
): Promise<void> {
  const [eventId, linkId] = [uuidv7(), uuidv7()];
  await client.query(
    `INSERT INTO events.events (id, title, description, start_date, end_date, location, capacity, created_by_id, price, payment_note, created_at, updated_at)
     SELECT $1, 'Search Social: Sixty at the Mill', 'Lightning talks, a long bar and a guest list of sixty.',
       starts, starts + interval '4 hours', 'Hope Mill, Pollard Street, Manchester', $3, $2, 10, 'Card or cash at the door', starts - interval '30 days', starts - interval '30 days'
     FROM (SELECT date_trunc('hour', now()) - interval '1 hour' AS starts) AS evening`,
    [eventId, adminId, TONIGHT.guests],
  );
  const questions = TONIGHT_QUESTIONS.map((question) => ({ id: uuidv7(), ...question }));
  await client.query(
    `INSERT INTO events.event_contents (event_id, venue_name, venue_address, questions)
     VALUES ($1, 'Hope Mill', 'Pollard Street, Manchester', $2)`,
    [eventId, JSON.stringify(questions)],
  );
  const members = memberIds.slice(1);
  const random = randomFrom('tonight');
  const people = Array.from({ length: TONIGHT.guests }, (_, n) => ({
    id: uuidv7(),
    key: uuidv7(),
    link_id: linkId,
    event_id: eventId,
    user_id: members[n] ?? null,
    guest_name: n < members.length ? null : `${TONIGHT.firstNames[n % TONIGHT.firstNames.length]} Guest ${n}`,
    hours_ago: 24 + Math.round(random() ** 2 * ANNOUNCED_HOURS),
    minutes_in: n < TONIGHT.in ? n : null,
    paid: n < TONIGHT.in && n % 4 !== 3,
    note: TONIGHT.notes[n] ?? null,
    // organisers add people without asking them anything
    answers: n < members.length ? answersTo(questions, n) : null,
  }));
  await insert(
    client,
    `INSERT INTO events.event_registrations (id, event_id, user_id, guest_name, show_me, registered_at, note, paid_at, answers)
     SELECT id, event_id, user_id, guest_name, CASE WHEN user_id IS NULL THEN 'no' ELSE 'name' END, now() - hours_ago * interval '1 hour',
            note, CASE WHEN paid THEN now() - interval '10 minutes' END, answers
       FROM jsonb_to_recordset($1::jsonb)
         AS r(id uuid, event_id uuid, user_id uuid, guest_name text, hours_ago int, note text, paid boolean, answers jsonb)`,
    people,
  );
  await client.query(
    `INSERT INTO events.door_links (id, event_id, token_hash, created_by_id, created_at)
     VALUES ($1, $2, sha256(gen_random_uuid()::text::bytea), $3, now() - interval '1 day')`,
    [linkId, eventId, adminId],
  );
  await insert(
    client,
    `INSERT INTO events.check_ins (event_id, key, registration_id, link_id, at)
     SELECT event_id, key, r.id, link_id, start_date + minutes_in * interval '1 minute'
       FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, key uuid, link_id uuid, event_id uuid, minutes_in int)
       JOIN events.events ON events.id = event_id WHERE minutes_in IS NOT NULL`,
    people,
  );
  await insertMessages(client, { eventId, adminId });
}

/** Of the guest with this number: every second one wishes for something. */
function answersTo(questions: { id: string; kind: string; options: readonly string[] }[], n: number) {
  const answers = questions.map(({ id, kind, options }) => {
    if (kind === 'choice') return [id, options[((n * n) % 7) % options.length]];
    if (kind === 'yesNo') return [id, n % 3 === 0];
    return [id, n % 2 === 0 ? WISHES[(n / 2) % WISHES.length] : undefined];
  });
  return Object.fromEntries(answers) as Record<string, string | boolean | undefined>;
}

/** What the organisers wrote yesterday, with what became of each mail, and what waits for tomorrow. */
async function insertMessages(
  client: pg.Client,
  { eventId, adminId }: { eventId: string; adminId: string },
): Promise<void> {
  const [sent, scheduled] = [uuidv7(), uuidv7()];
  await client.query(
    `INSERT INTO events.messages (id, event_id, author_id, segment, subject, body, reply_to, state, send_at, started_at, created_at)
     SELECT id, $2, $1, segment, subject, body, reply_to, state, send_at, CASE state WHEN 'sent' THEN send_at END, now() - interval '1 day'
       FROM (VALUES
         ($3::uuid, 'registered', 'Tomorrow: doors, dinner and parking',
          E'Doors open **half an hour early**.\n\n- Soup and bread until the first talk\n- Park behind the mill, not on Pollard Street', 'author', 'sent',
          now() - interval '1 day'),
         ($4::uuid, 'came', 'Thank you for coming', E'The slides follow on the event’s page.\n\nTell us what you would like to hear next.',
          'community', 'scheduled', date_trunc('hour', now()) + interval '16 hours')
       ) AS written (id, segment, subject, body, reply_to, state, send_at)`,
    [adminId, eventId, sent, scheduled],
  );
  await client.query(
    `INSERT INTO events.message_recipients (message_id, registration_id, state, at)
     SELECT $1, id, CASE row_number() OVER (ORDER BY id) WHEN 7 THEN 'refused' WHEN 19 THEN 'skipped' ELSE 'sent' END, now() - interval '1 day'
       FROM events.event_registrations WHERE event_id = $2 AND user_id IS NOT NULL`,
    [sent, eventId],
  );
  await client.query(
    `UPDATE events.messages SET recipients = counted.recipients, sent = counted.sent, refused = 1, skipped = 1
       FROM (SELECT count(*) AS recipients, count(*) FILTER (WHERE state = 'sent') AS sent FROM events.message_recipients) AS counted
      WHERE id = $1`,
    [sent],
  );
  await client.query(
    `INSERT INTO events.outbox (id, job, payload, available_at)
     SELECT gen_random_uuid(), 'messages.send',
       jsonb_build_object('messageId', id, 'sendAt', to_char(send_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), send_at
       FROM events.messages WHERE id = $1`,
    [scheduled],
  );
}

/** Of the member whom the demo signs in as one that is open and one that was declined, and another's. */
export async function insertProposals(client: pg.Client, memberIds: string[]): Promise<void> {
  await insert(
    client,
    `INSERT INTO events.proposals (id, proposer_id, title, description, start_date, end_date, proposed_at, decided_at, words)
     SELECT id, proposer_id, title, description, starts, starts + interval '2 hours', now() - days_ago * interval '1 day',
            CASE WHEN words IS NOT NULL THEN now() - interval '2 days' END, words
       FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, proposer_id uuid, title text, description text, days int, days_ago int, words text),
            LATERAL (SELECT date_trunc('day', now()) + days * interval '1 day' + interval '18 hours' AS starts) AS evening`,
    DEMO_PROPOSALS.map(({ member, ...proposal }) => ({
      id: uuidv7(),
      proposer_id: memberIds[member],
      ...proposal,
    })),
  );
}

/** The administrators' chart, as workers count it later. */
export async function insertActivity(client: pg.Client, timeZone: string): Promise<void> {
  await client.query(
    `INSERT INTO admin.registration_activity (day, registrations)
     SELECT (registered_at AT TIME ZONE $1)::date, count(*) FROM events.event_registrations WHERE status = 'registered' GROUP BY 1`,
    [timeZone],
  );
}

/** Who registers, who waits for a place, and then what is cancelled, which nobody could register for. */
export async function insertRegistrations(
  client: pg.Client,
  events: SeededEvent[],
  memberIds: string[],
): Promise<void> {
  const random = randomFrom('registrations');
  const registrations = events.flatMap((event) =>
    shuffled(random, event.leftToMember ? memberIds.slice(1) : memberIds)
      .slice(0, event.registered + event.waiting)
      .map((userId, index) => ({
        id: uuidv7(),
        event_id: event.id,
        user_id: userId,
        status: index < event.registered ? 'registered' : 'waitlisted',
        show_me: SHOWN[index % SHOWN.length],
        days_ago: Math.max(0, -event.day) + random() ** 2 * FILLED_WITHIN_DAYS,
      })),
  );
  await insert(
    client,
    `INSERT INTO events.event_registrations (id, event_id, user_id, status, registered_at, show_me)
     SELECT id, event_id, user_id, status, now() - days_ago * interval '1 day', show_me
       FROM jsonb_to_recordset($1::jsonb)
         AS r(id uuid, event_id uuid, user_id uuid, status text, days_ago double precision, show_me text)`,
    registrations,
  );
  // one of six did not come
  await client.query(
    `INSERT INTO events.check_ins (event_id, key, registration_id, at)
     SELECT event_id, gen_random_uuid(), id, came.start_date + came.place % 25 * interval '1 minute'
       FROM (SELECT r.id, r.event_id, e.start_date, row_number() OVER (ORDER BY r.registered_at, r.id) AS place
               FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
              WHERE e.end_date < now() AND r.status = 'registered') AS came
      WHERE place % 6 <> 0`,
  );
  await insert(
    client,
    `UPDATE events.events SET status = 'cancelled', cancelled_at = now(), cancel_reason = cancelled, sequence = 1
       FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, cancelled text) WHERE events.id = r.id AND cancelled IS NOT NULL`,
    events,
  );
}
