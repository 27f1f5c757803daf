import {
  getColumns,
  CONTENT_TEXTS,
  type EventContentFields,
  type EventFieldName,
  type EventRole,
  type EventRoleName,
  type FoundMember,
  LIMITS,
  type Page,
  pictureUrl,
  type Venue,
  type VenueFilter,
} from '@meetmark/contracts';
import { cutPage, decodeCursor } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { presentQuestions } from './questions.js';
import { RENDERED_SOURCE } from './rendered-texts.js';
import { changedContent, type ContentValues, NO_CONTENT, type StoredContent } from './event-content.js';

const getColumn = (name: EventFieldName) => getColumns(name)[0]!;

interface ContentRow extends Omit<StoredContent, 'venue' | 'gallery'> {
  gallery: StoredGalleryPicture[];
  venueName: string | null;
  venueAddress: string | null;
  venueNote: string | null;
  venueMapUrl: string | null;
}

/** An invitation is valid while the inviter may manage the event. Members who added themselves need none. */
const MAY_AGREE =
  '(person.asked_by_id IS NOT DISTINCT FROM person.user_id OR events.management_refusal(person.asked_by_id, person.event_id, true) IS NULL)';

export async function fetchContent(manager: EntityManager, eventId: string): Promise<StoredContent> {
  const [row] = await manager.query<[ContentRow]>(
    `SELECT venue_name AS "venueName", venue_address AS "venueAddress", venue_note AS "venueNote",
       venue_map_url AS "venueMapUrl", ${CONTENT_TEXTS.map((name) => `${getColumn(name)} AS "${name}"`).join(', ')},
       coalesce(agenda, '[]') AS agenda, coalesce(resources, '[]') AS resources, coalesce(questions, '[]') AS questions,
       (SELECT coalesce(json_agg(json_build_object('role', person.role, 'userId', person.user_id, 'name', person.name,
            'title', person.title, 'bio', person.bio, 'linkUrl', person.link_url, 'agreed', person.agreed_at IS NOT NULL,
            'askedBy', asker.first_name || ' ' || asker.last_name, 'mayAgree',
            CASE WHEN person.user_id IS NULL OR person.agreed_at IS NOT NULL AND (NOT person.manages OR person.manages_agreed_at IS NOT NULL)
              THEN true ELSE ${MAY_AGREE} END,
            'manages', person.manages, 'agreedToManage', person.manages_agreed_at IS NOT NULL,
            'firstName', card.first_name, 'lastName', card.last_name, 'profileImageUrl', card.profile_image_url,
            'linkedInUrl', card.linked_in_url, 'listed', listed.id IS NOT NULL)
          ORDER BY person.role, person.position), '[]')
        FROM events.event_people AS person
        LEFT JOIN auth.member_card AS card ON card.id = person.user_id
        LEFT JOIN auth.member_card AS asker ON asker.id = person.asked_by_id
        LEFT JOIN auth.listed_member AS listed ON listed.id = person.user_id
        WHERE person.event_id = about.id) AS people,
       ARRAY(SELECT topic_id FROM events.event_topics WHERE event_id = about.id ORDER BY position) AS topics,
       coalesce((SELECT CASE WHEN released_at IS NULL THEN 'planned' ELSE 'announced' END FROM events.announcements
         WHERE event_id = about.id), 'none') AS announcement,
       coalesce((SELECT gallery_pictures FROM events.events WHERE id = about.id), '[]') AS gallery,
       (SELECT json_build_object('description', kept.description_html, 'recap', kept.recap_html)
        FROM events.rendered_texts AS kept JOIN events.events AS event ON event.id = kept.event_id
        WHERE kept.event_id = about.id AND kept.source = ${RENDERED_SOURCE}) AS html
     FROM (SELECT $1::uuid AS id) AS about LEFT JOIN events.event_contents AS content ON content.event_id = about.id`,
    [eventId],
  );
  const { venueName, venueAddress, venueNote, venueMapUrl, ...content } = row;
  const venue =
    venueName === null
      ? null
      : { name: venueName, address: venueAddress, note: venueNote, mapUrl: venueMapUrl };
  return {
    ...content,
    venue,
    gallery: content.gallery.map(({ id, hash, alt }) => ({ id, url: pictureUrl('gallery', hash), alt })),
    // restores the order of properties, which jsonb doesn't keep
    agenda: content.agenda.map(({ startsAt, endsAt, title, note }) => ({ startsAt, endsAt, title, note })),
    resources: content.resources.map(({ title, url }) => ({ title, url })),
    questions: presentQuestions(content.questions),
  };
}

const toRow = ({ venue, agenda, resources, questions, ...content }: ContentValues) => ({
  venue_name: venue?.name ?? null,
  venue_address: venue?.address ?? null,
  venue_note: venue?.note ?? null,
  venue_map_url: venue?.mapUrl ?? null,
  ...Object.fromEntries(CONTENT_TEXTS.map((name) => [getColumn(name), content[name]])),
  agenda,
  resources,
  questions,
});
const COLUMNS = Object.keys(toRow(NO_CONTENT)).join(', ');
const VALUES = `SELECT ${COLUMNS} FROM jsonb_populate_record(NULL::events.event_contents, $2)`;

/** Organisers who name themselves thereby agree to be named. */
export async function insertContent(
  manager: EntityManager,
  eventId: string,
  content: ContentValues,
  callerId: string,
): Promise<void> {
  if (changedContent(NO_CONTENT, content).length === 0) return;
  await manager.query(
    `INSERT INTO events.event_contents (event_id, ${COLUMNS}) SELECT $1, row.* FROM (${VALUES}) AS row`,
    [eventId, JSON.stringify(toRow(content))],
  );
  await writePeople(manager, eventId, content, callerId);
  await writeTopics(manager, eventId, content);
}

export async function updateContent(
  manager: EntityManager,
  eventId: string,
  content: ContentValues,
  changed: (keyof ContentValues)[],
  callerId: string,
): Promise<void> {
  if (changed.length === 0) return;
  await manager.query('INSERT INTO events.event_contents (event_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    eventId,
  ]);
  await manager.query(
    `UPDATE events.event_contents SET (${COLUMNS}) = (${VALUES}),
       hosts_edits = hosts_edits + $3::integer, speakers_edits = speakers_edits + $4::integer
     WHERE event_id = $1`,
    [
      eventId,
      JSON.stringify(toRow(content)),
      Number(changed.includes('hosts') || changed.includes('coHosts')),
      Number(changed.includes('speakers')),
    ],
  );
  if (changed.includes('hosts') || changed.includes('coHosts') || changed.includes('speakers'))
    await writePeople(manager, eventId, content, callerId);
  if (changed.includes('topics')) {
    await writeTopics(manager, eventId, content);
    await manager.query('SELECT events.keep_topics_edit($1)', [eventId]);
  }
}

async function writeTopics(
  manager: EntityManager,
  eventId: string,
  { topics }: Pick<ContentValues, 'topics'>,
): Promise<void> {
  await manager.query('DELETE FROM events.event_topics WHERE event_id = $1', [eventId]);
  await manager.query(
    `INSERT INTO events.event_topics (event_id, topic_id, position)
     SELECT $1, id, position FROM unnest($2::uuid[]) WITH ORDINALITY AS chosen (id, position)`,
    [eventId, topics],
  );
}

/** Returns the topics that exist. Call it after locking members and before locking events. */
export async function lockTopics(
  manager: EntityManager,
  ids: string[],
  strength: 'FOR KEY SHARE' | 'FOR UPDATE' = 'FOR KEY SHARE',
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await manager.query<{ id: string }[]>(
    `SELECT id FROM events.topics WHERE id = ANY ($1) ORDER BY id ${strength}`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the topics of all events of the series, because a series edit may replace all these topics. */
export async function topicsOfSeries(
  manager: EntityManager,
  { eventId, topics }: { eventId: string } & Pick<EventContentFields, 'topics'>,
): Promise<string[]> {
  if (topics === undefined) return [];
  const rows = await manager.query<{ id: string }[]>(
    `SELECT DISTINCT topic_id AS id FROM events.event_topics WHERE event_id IN (
       SELECT event.id FROM events.events AS edited
       JOIN events.events AS event ON event.id = edited.id OR event.series_id = edited.series_id WHERE edited.id = $1)`,
    [eventId],
  );
  return rows.map(({ id }) => id);
}

async function writePeople(
  manager: EntityManager,
  eventId: string,
  { hosts, coHosts, speakers }: ContentValues,
  callerId: string,
): Promise<void> {
  const people = [
    ...hosts.map((userId, position) => ({
      role: 'host',
      position,
      userId,
      manages: coHosts.includes(userId),
    })),
    ...speakers.map(({ role: title, ...speaker }, position) => ({
      ...speaker,
      role: 'speaker',
      position,
      title,
    })),
  ];
  await manager.query(
    `DELETE FROM events.event_people AS person WHERE event_id = $1 AND NOT EXISTS (
       SELECT FROM jsonb_to_recordset($2::jsonb) AS named (role text, "userId" uuid)
       WHERE named.role = person.role AND named."userId" = person.user_id)`,
    [eventId, JSON.stringify(people)],
  );
  await manager.query(
    `INSERT INTO events.event_people AS person (event_id, role, position, user_id, name, title, bio, link_url, agreed_at,
       manages, manages_agreed_at, asked_by_id)
     SELECT $1, role, position, "userId", name, title, bio, "linkUrl", CASE WHEN "userId" = $3 THEN now() END,
       coalesce(manages, false), CASE WHEN manages AND "userId" = $3 THEN now() END, $3
     FROM jsonb_to_recordset($2::jsonb) AS named (role text, position smallint, "userId" uuid, name text, title text,
       bio text, "linkUrl" text, manages boolean)
     ON CONFLICT (event_id, role, user_id) DO UPDATE
     SET position = excluded.position, title = excluded.title, bio = excluded.bio, manages = excluded.manages,
       manages_agreed_at = CASE WHEN excluded.manages THEN coalesce(person.manages_agreed_at, excluded.manages_agreed_at) END,
       asked_by_id = CASE WHEN person.manages OR NOT excluded.manages THEN person.asked_by_id ELSE excluded.asked_by_id END,
       told_at = CASE WHEN person.manages OR NOT excluded.manages THEN person.told_at END`,
    [eventId, JSON.stringify(people), callerId],
  );
  await askNamed(manager, eventId);
}

/** Emails each named member one request for consent. Only co-hosts get it before the event is published. */
export async function askNamed(manager: EntityManager, eventId: string): Promise<void> {
  await manager.query('SELECT events.tell_named($1)', [eventId]);
}

/** Locks members against deletion and returns those who exist. Call it before locking the event. */
export async function lockMembers(manager: EntityManager, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await manager.query<{ id: string }[]>('SELECT id FROM events.lock_members($1) AS id', [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Returns members named in any event of the series, because a series edit may replace all these members. */
export async function membersThere(
  manager: EntityManager,
  { eventId, hosts, speakers }: { eventId: string } & Pick<EventContentFields, 'hosts' | 'speakers'>,
): Promise<string[]> {
  if (hosts === undefined && speakers === undefined) return [];
  const rows = await manager.query<{ id: string }[]>(
    `SELECT DISTINCT user_id AS id FROM events.event_people WHERE user_id IS NOT NULL AND event_id IN (
       SELECT event.id FROM events.events AS edited
       JOIN events.events AS event ON event.id = edited.id OR event.series_id = edited.series_id WHERE edited.id = $1)`,
    [eventId],
  );
  return rows.map(({ id }) => id);
}

export const findMembers = (manager: EntityManager, q: string): Promise<FoundMember[]> =>
  manager.query<FoundMember[]>(
    `SELECT id, first_name AS "firstName", last_name AS "lastName", profile_image_url AS "profileImageUrl"
     FROM auth.find_members($1)`,
    [q],
  );

const VENUE_ORDER = '-latestEvent';
const MATCHING = `($1::text = '' OR public.searchable(venue_name) LIKE public.containing($1)
  OR public.searchable(venue_address) LIKE public.containing($1))`;

/**
 * Leaves out notes, which may be for guests only.
 * @param seen SQL condition for events that the viewer ($5) sees; may use `event`
 */
export async function venues(
  manager: EntityManager,
  { seen, viewerId }: { seen: string; viewerId: string },
  { q, limit = LIMITS.listMax, cursor }: VenueFilter,
): Promise<Page<Venue>> {
  const after = cursor === undefined ? null : decodeCursor(cursor, VENUE_ORDER, 'timestamptz');
  const rows = await manager.query<(Omit<Venue, 'note'> & { id: string; key: Date; total: number })[]>(
    `WITH venues AS (
       SELECT DISTINCT ON (lower(venue_name), lower(coalesce(venue_address, ''))) venue_name AS name,
         venue_address AS address, venue_map_url AS "mapUrl", event.id, event.start_date AS key
       FROM events.event_contents AS content JOIN events.events AS event ON event.id = content.event_id
       WHERE venue_name IS NOT NULL AND ${MATCHING} AND $5::uuid IS NOT NULL AND ${seen}
       ORDER BY lower(venue_name), lower(coalesce(venue_address, '')), event.start_date DESC, event.id DESC
     )
     SELECT venues.*, (SELECT count(*)::integer FROM venues) AS total FROM venues
     WHERE $2::timestamptz IS NULL OR (key, id) < ($2::timestamptz, $3::uuid) ORDER BY key DESC, id DESC LIMIT $4`,
    [q ?? '', after?.key ?? null, after?.id ?? null, limit + 1, viewerId],
  );
  const { items, nextCursor } = cutPage(rows, limit, VENUE_ORDER, (last) => last);
  return {
    items: items.map(({ name, address, mapUrl }) => ({ name, address, note: null, mapUrl })),
    total: rows[0]?.total ?? 0,
    nextCursor,
  };
}

interface RoleRow extends Pick<EventRole, 'eventId' | 'title' | 'isAllDay' | 'format' | 'timeZone' | 'role'> {
  startDate: Date;
  endDate: Date;
  agreedAt: Date | null;
  manages: boolean;
  managesAgreedAt: Date | null;
}

const presentRole = ({
  startDate,
  endDate,
  agreedAt,
  manages,
  managesAgreedAt,
  ...role
}: RoleRow): EventRole => ({
  ...role,
  ...(manages && { coHost: agreedAt !== null && managesAgreedAt !== null ? 'agreed' : 'asked' }),
  startDate: startDate.toISOString(),
  endDate: endDate.toISOString(),
  agreedAt: agreedAt?.toISOString() ?? null,
});

export async function fetchRoles(
  manager: EntityManager,
  userId: string,
  { eventId = null, role = null }: { eventId?: string | null; role?: EventRoleName | null } = {},
): Promise<EventRole[]> {
  const rows = await manager.query<RoleRow[]>(
    `SELECT event.id AS "eventId", event.title, event.start_date AS "startDate", event.end_date AS "endDate",
       event.is_all_day AS "isAllDay", event.format, event.time_zone AS "timeZone", person.role, person.agreed_at AS "agreedAt",
       person.manages AND (person.manages_agreed_at IS NOT NULL OR ${MAY_AGREE}) AS manages, person.manages_agreed_at AS "managesAgreedAt"
     FROM events.event_people AS person JOIN events.events AS event ON event.id = person.event_id
     WHERE person.user_id = $1 AND (event.status <> 'draft' OR person.manages)
       AND (person.agreed_at IS NOT NULL OR ${MAY_AGREE})
       AND ($2::uuid IS NULL OR event.id = $2) AND ($3::text IS NULL OR person.role = $3)
     ORDER BY event.start_date DESC, event.id DESC, person.role LIMIT ${LIMITS.listMax}`,
    [userId, eventId, role],
  );
  return rows.map(presentRole);
}

/** Keeps the date of the first consent. Ignores consent if the inviter can no longer manage the event. */
export async function answerRole(
  manager: EntityManager,
  userId: string,
  { eventId, role, agreed }: { eventId: string; role: EventRoleName; agreed: boolean },
): Promise<void> {
  await manager.query(
    `UPDATE events.event_people AS person SET agreed_at = CASE WHEN $4 THEN coalesce(agreed_at, now()) END,
       manages_agreed_at = CASE WHEN $4 AND manages THEN coalesce(manages_agreed_at, CASE WHEN ${MAY_AGREE} THEN now() END) END
     WHERE user_id = $1 AND event_id = $2 AND role = $3 AND (NOT $4 OR agreed_at IS NOT NULL OR ${MAY_AGREE})
       AND (manages OR event_id IN (SELECT id FROM events.events WHERE status <> 'draft'))`,
    [userId, eventId, role, agreed],
  );
}

export interface StoredGalleryPicture {
  id: string;
  hash: string;
  alt: string;
}

export async function fetchGallery(manager: EntityManager, eventId: string): Promise<StoredGalleryPicture[]> {
  const [row] = await manager.sql<{ gallery: StoredGalleryPicture[] }[]>`
    SELECT gallery_pictures AS gallery FROM events.events WHERE id = ${eventId}`;
  return row?.gallery ?? [];
}

export const keepGallery = (manager: EntityManager, eventId: string, gallery: StoredGalleryPicture[]) =>
  manager.sql`
    UPDATE events.events SET gallery_pictures = ${JSON.stringify(gallery)}::jsonb, updated_at = now()
    WHERE id = ${eventId}`;

export async function isInGallery(manager: EntityManager, hash: string): Promise<boolean> {
  const found = await manager.sql<unknown[]>`
    SELECT FROM events.events WHERE gallery_pictures <> '[]'
      AND gallery_pictures @> jsonb_build_array(jsonb_build_object('hash', ${hash}::text)) LIMIT 1`;
  return found.length > 0;
}
