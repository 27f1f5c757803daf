import { randomUUID } from 'node:crypto';
import { type Identity, listMessages, type Door, type NewDoorLink, type Page } from '@meetmark/contracts';
import { rowsRead } from '@meetmark/platform/testing/rows-read';
import { daysFromNow, insertEvent } from '@meetmark/testing/factories/events';
import { readPages } from '@meetmark/testing/read-pages';
import { DataSource } from 'typeorm';
import { askHandler, openEvents, type TestEvents } from './testing/open-events.js';

const FEW = 600;
const MANY = 10 * FEW;
/** Ten times as many guests may multiply the number of rows read by at most this factor. */
const AT_MOST = 12;
const LITTLE = 100;
const PLACES = 0.8;
const TEA = { id: randomUUID(), kind: 'yesNo', label: 'Tea?', required: false, options: [] };
const COFFEE = { ...TEA, id: randomUUID(), label: 'Coffee?' };

interface World {
  service: TestEvents;
  eventId: string;
  organiser: Identity;
  other: Identity;
  guests: { id: string; userId: string | null; status: string; name: string | null }[];
  messageId: string;
  link: NewDoorLink;
  door: Door;
  feed: string;
}

const now = () => new Date().toISOString();
const text = { subject: 'News', body: 'We meet upstairs.', replyTo: 'community' };
const guest = ({ guests }: World, status = 'registered', n = 0) =>
  guests.filter((one) => one.status === status)[n]!;
const member = ({ guests }: World, status: string, n = 0) =>
  guests.filter((one) => one.status === status && one.userId !== null)[n]!;

const getDraftId = ({ length }: World['guests'], n = 0) =>
  `0197f000-0000-7000-800${n}-${String(length).padStart(12, '0')}`;

type Requests = (world: World) => object[];
interface Example {
  requests: Requests;
  /** `running`: the event must have started before the call. `last`: the call runs after all others. */
  when?: 'running' | 'last';
  as?: 'other';
}

const ofEvent: Requests = ({ eventId }) => [{ eventId }];
const reads: Record<string, Requests | Example> = {
  'calendar.event': ofEvent,
  'calendar.public': () => [{}],
  'calendar.managed': () => [{}],
  'events.get': ofEvent,
  'events.find': ({ guests }) => [{ slug: `guests-${guests.length}` }],
  'events.count': ofEvent,
  'events.listPublic': () => [{}],
  'events.listAddresses': () => [{ page: 1 }],
  'events.list': () => [{}, { managedBy: 'me' }],
  'events.mayManage': ofEvent,
  'events.attendees': ({ eventId }) => [{ eventId }, { eventId, limit: 20 }],
  'registrations.myEvents': () => [{ include: 'waiting' }],
  'registrations.own': () => [{}],
  'registrations.faces': ({ eventId }) => [{ eventIds: [eventId] }],
  'registrations.list': ofEvent,
  'registrations.activity': ofEvent,
  'registrations.answers': ofEvent,
  'waitlist.list': ofEvent,
  'guests.list': ({ eventId }) => [
    { eventId },
    { eventId, limit: 20 },
    { eventId, state: 'waitlisted' },
    { eventId, checkedIn: 'false' },
    { eventId, q: 'No 7' },
    { eventId, q: 'Person' },
    { eventId, q: 'nobody is called so' },
  ],
  'door.get': ofEvent,
  'door.getSnapshot': ({ link }) => [{ token: link.token }],
  'door.findVenue': ({ door }) => [{ code: door.venueCode }],
  'door.getOwnCode': ofEvent,
  'eventMessages.list': ofEvent,
  'eventMessages.get': ({ eventId, messageId }) => [{ eventId, messageId }],
  'eventMessages.recipients': ({ eventId, messageId }) => [{ eventId, messageId }],
  'eventMessages.audience': ofEvent,
  'eventMessages.preview': ({ eventId }) => [{ eventId, ...text }],
  'members.find': () => [{ q: 'Person' }],
  'members.findForEvent': ({ eventId }) => [{ eventId, q: 'Person' }],
};
const changes: Record<string, Requests | Example> = {
  'calendar.member': ({ feed }) => [{ token: feed }],
  'calendar.createFeed': () => [{}],
  'calendar.getFeed': () => [{}],
  'events.changeSlug': ({ eventId, guests }) => [{ eventId, slug: `all-${guests.length}` }],
  'events.makeSeries': ({ eventId }) => [{ eventId, every: 'week', count: 2 }],
  'eventMessages.create': ({ eventId, guests }) => [
    ...[0, 1].map((n) => ({
      id: getDraftId(guests, n),
      eventId,
      ...text,
      segment: 'registered',
      draft: true,
    })),
    { id: randomUUID(), eventId, ...text, segment: 'registered' },
  ],
  'eventMessages.change': ({ eventId, guests }) => [
    { eventId, messageId: getDraftId(guests), ...text, segment: 'registered' },
  ],
  'eventMessages.cancel': ({ eventId, guests }) => [{ eventId, messageId: getDraftId(guests, 1) }],
  'eventMessages.test': ({ eventId }) => [{ eventId, ...text }],
  'hostMessages.write': {
    requests: ({ eventId }) => [{ id: randomUUID(), eventId, message: 'Is there any parking?' }],
    as: 'other',
  },
  'registrations.register': { requests: ({ eventId }) => [{ eventId, waitlist: true }], as: 'other' },
  'registrations.change': { requests: ({ eventId }) => [{ eventId, showMe: 'no' }], as: 'other' },
  'registrations.unregister': { requests: ofEvent, as: 'other' },
  'waitlist.promote': (world) => [
    { eventId: world.eventId, userId: member(world, 'waitlisted').userId, raiseCapacity: true },
  ],
  'waitlist.remove': (world) => [{ eventId: world.eventId, userId: member(world, 'waitlisted', 1).userId }],
  'guests.add': ({ eventId }) => [
    { eventId, name: 'Ada', raiseCapacity: true },
    { eventId, name: 'Grace', email: `grace@${eventId}.example`, raiseCapacity: true },
  ],
  'guests.change': (world) => [
    { eventId: world.eventId, guestId: guest(world).id, note: 'Pays in cash', paid: true },
    { eventId: world.eventId, guestId: guest(world).id, checkedIn: true },
    { eventId: world.eventId, guestId: guest(world).id, checkedIn: false },
  ],
  'guests.place': (world) => [
    { eventId: world.eventId, guestId: guest(world, 'waitlisted', 2).id, raiseCapacity: true },
  ],
  'guests.remove': (world) => [{ eventId: world.eventId, ids: [guest(world, 'registered', 3).id] }],
  'events.update': ({ eventId, guests }) => [
    { eventId, banner: { action: 'keep' }, title: 'Another title', notify: true },
    {
      eventId,
      banner: { action: 'keep' },
      startDate: daysFromNow(3).toISOString(),
      endDate: daysFromNow(4).toISOString(),
      notify: true,
      note: 'Later',
    },
    { eventId, banner: { action: 'keep' }, capacity: guests.length },
    { eventId, banner: { action: 'keep' }, questions: [TEA] },
  ],
  'door.createLink': ofEvent,
  'door.revokeLink': { requests: ({ eventId, link }) => [{ eventId, linkId: link.id }], when: 'last' },
  'door.checkIn': {
    requests: (world) => [
      {
        token: world.link.token,
        sentAt: now(),
        items: [5, 6, 7].map((n) => ({
          key: randomUUID(),
          guestId: guest(world, 'registered', n).id,
          at: now(),
        })),
      },
    ],
    when: 'running',
  },
  'door.walkIn': {
    requests: ({ link, eventId }) => [
      {
        ...{ token: link.token, key: randomUUID(), at: now(), sentAt: now(), override: true },
        ...{ name: 'Alan', email: `alan@${eventId}.example` },
      },
    ],
    when: 'running',
  },
  'door.checkInSelf': {
    requests: ({ eventId, door }) => [{ eventId, venueCode: door.venueCode }],
    when: 'running',
  },
  'events.cancel': { requests: ({ eventId }) => [{ eventId, reason: 'Rain' }], when: 'last' },
  'events.delete': { requests: ofEvent, when: 'last' },
};
const calls = Object.fromEntries(
  Object.entries({ ...reads, ...changes }).map(([name, example]): [string, Example] => [
    name,
    typeof example === 'function' ? { requests: example } : example,
  ]),
);

/** Calls that read no guests, for example because they are about drafts or about no event. */
const WITHOUT_GUESTS = Object.entries({
  events:
    'create publish createPreview revokePreview getPreview getPreviewLink listVenues listRoles answerRole',
  gallery: 'add change remove',
  calendar: 'revokeFeed',
  hostMessages: 'writeAsVisitor',
  imports: 'create list addRows listRows continue undo',
  pictures: 'getBanner getOfGallery isInGallery',
  proposals: 'make listOwn list accept decline',
  subscriptions: 'request',
  topics: 'list calendar listFollowed follow unfollow',
}).flatMap(([prefix, names]) => names.split(' ').map((name) => `${prefix}.${name}`));

const ORGANISERS = new Set(['public', 'member', 'organiser', 'manager']);
const messages = listMessages('events').filter(({ access }) => ORGANISERS.has(access));
const findMessage = (name: string) => messages.find((each) => each.name === name)!;

describe("the rows read by an organiser's call", () => {
  const services: TestEvents[] = [];
  let few: World;
  let many: World;
  beforeAll(async () => {
    few = await aWorld(FEW);
    many = await aWorld(MANY);
  });
  afterAll(async () => {
    for (const service of services) await service.close();
  });

  /**
   * Of every ten guests, seven are registered members and one is registered without an account. One is
   * waiting and one has cancelled.
   */
  async function aWorld(count: number): Promise<World> {
    const service = await openEvents(undefined, 3);
    services.push(service);
    const { owner } = service;
    const organiser = await service.person({ isOrganiser: true });
    const other = await service.person({ isOrganiser: true });
    const { id: eventId } = await insertEvent(owner, {
      createdById: organiser.sub,
      capacity: PLACES * count + 1,
      waitlistEnabled: true,
    });
    await owner.query('INSERT INTO events.event_contents (event_id, questions) VALUES ($1, $2)', [
      eventId,
      JSON.stringify([TEA, COFFEE]),
    ]);
    await service.register(eventId, [organiser.sub]);
    await owner.query(
      `WITH person AS (
         INSERT INTO auth.users (id, email, password_hash, first_name, last_name, email_verified_at)
         SELECT gen_random_uuid(), 'person' || n || '@example.org', '$argon2id$v=19$m=1', 'Person', 'No ' || n, now()
         FROM generate_series(1, $2::integer) AS n RETURNING id, substring(email, '[0-9]+')::integer AS n)
       INSERT INTO events.event_registrations (id, event_id, user_id, registered_at, guest_name, guest_email, status, show_me, answers)
       SELECT gen_random_uuid(), $1, CASE n % 10 WHEN 1 THEN NULL ELSE id END, now() - n * interval '1 second',
         CASE n % 10 WHEN 1 THEN 'Guest ' || n END, CASE n % 10 WHEN 1 THEN 'guest' || n || '@example.org' END,
         CASE n % 10 WHEN 2 THEN 'waitlisted' WHEN 3 THEN 'cancelled' ELSE 'registered' END,
         CASE n % 10 WHEN 1 THEN 'no' ELSE 'name' END, CASE n % 10 WHEN 1 THEN NULL ELSE jsonb_build_object($3::text, true) END
       FROM person`,
      [eventId, count, TEA.id],
    );
    const guests = await service.rows<World['guests'][number]>(
      `SELECT id, user_id AS "userId", status, guest_name AS name FROM events.event_registrations
       WHERE event_id = $1 AND user_id IS DISTINCT FROM $2 ORDER BY registered_at, id`,
      eventId,
      organiser.sub,
    );
    const messageId = randomUUID();
    await owner.query(
      `WITH message AS (
         INSERT INTO events.messages (id, event_id, author_id, segment, subject, body, reply_to, state, send_at)
         VALUES ($1, $2, $3, 'registered', 'News', 'Soon', 'community', 'sending', now() - interval '2 days') RETURNING id)
       INSERT INTO events.message_recipients (message_id, registration_id)
       SELECT message.id, place.id FROM message, events.event_registrations AS place WHERE event_id = $2`,
      [messageId, eventId, organiser.sub],
    );
    await addPastEvent(owner, organiser.sub);
    await owner.query('ANALYZE');
    await stopAutovacuum(owner);
    const world = { service, eventId, organiser, other, guests, messageId } as World;
    world.link = await ask<NewDoorLink>(world, 'door.createLink', { eventId });
    world.door = await ask<Door>(world, 'door.get', { eventId });
    world.feed = (await ask<{ token: string }>(world, 'calendar.createFeed', {})).token;
    await ask(world, 'events.changeSlug', { eventId, slug: `guests-${guests.length}` });
    return world;
  }

  /**
   * Adds enough check-ins for PostgreSQL to use their index. With only a few, it would read all of them for
   * each deleted registration.
   */
  async function addPastEvent(owner: TestEvents['owner'], createdById: string): Promise<void> {
    const { id } = await insertEvent(owner, {
      createdById,
      startDate: daysFromNow(-9),
      endDate: daysFromNow(-8),
    });
    await owner.query(
      `WITH place AS (
         INSERT INTO events.event_registrations (id, event_id, guest_name, show_me)
         SELECT gen_random_uuid(), $1, 'Past ' || n, 'no' FROM generate_series(1, 500) AS n RETURNING id)
       INSERT INTO events.check_ins (event_id, key, registration_id, at, let_in, by_organiser)
       SELECT $1, gen_random_uuid(), id, now() - interval '9 days', true, true FROM place`,
      [id],
    );
  }

  /**
   * Autovacuum could update statistics between two measurements, and PostgreSQL might change its query plans.
   */
  async function stopAutovacuum(owner: TestEvents['owner']): Promise<void> {
    const { rows } = await owner.query<{ statement: string }>(
      `SELECT format('ALTER TABLE %I.%I SET (autovacuum_enabled = off)', schemaname, tablename) AS statement
       FROM pg_tables WHERE schemaname IN ('auth', 'events')`,
    );
    for (const { statement } of rows) await owner.query(statement);
  }

  const ask = <T>(world: World, name: string, request: object, as: 'organiser' | 'other' = 'organiser') =>
    askHandler<T>(world.service, findMessage(name), request, world[as]);

  async function setTime(from: string): Promise<void> {
    for (const { service } of [few, many])
      await service.owner.query(
        `UPDATE events.events SET start_date = now() + $1::interval, end_date = now() + $1::interval + interval '2 hours'`,
        [from],
      );
  }

  it('has a test or an exemption for every call of an organiser', () => {
    const named = [...Object.keys(calls), ...WITHOUT_GUESTS].toSorted();
    expect(named).toEqual(messages.map(({ name }) => name).toSorted());
  });

  /**
   * Calls that have read more than half of the guests at least once. The same call may read fewer later,
   * because totals of long lists are cached for seconds.
   */
  const heavy = new Set<string>();

  async function compare(names: string[]): Promise<[string, number, number][]> {
    const grown: [string, number, number][] = [];
    for (const name of names) {
      const { requests, as } = calls[name]!;
      const [ofFew, ofMany] = [requests(few), requests(many)];
      for (const n of ofFew.keys()) {
        const read = (world: World, request: object) =>
          rowsRead(world.service.get(DataSource), () => ask(world, name, request, as));
        const [less, more] = [await read(few, ofFew[n]!), await read(many, ofMany[n]!)];
        if (more > AT_MOST * Math.max(less, LITTLE)) grown.push([`${name} ${n}`, less, more]);
        if (more > MANY / 2) heavy.add(name);
      }
    }
    expect(names.filter((name) => heavy.has(name))).toEqual(
      names.filter((name) => findMessage(name).heavy === true),
    );
    return grown;
  }
  const listChanges = (when?: Example['when']) =>
    Object.keys(changes).filter((name) => calls[name]!.when === when);

  it.each([
    ['is over', '-3 hours'],
    ['is upcoming', '1 day'],
  ])('reads rows at most in proportion to the number of guests when the event %s', async (_, from) => {
    await setTime(from);
    expect(await compare(Object.keys(reads))).toEqual([]);
  });

  it('exports guests page by page, reading rows at most in proportion to their number', async () => {
    await setTime('-3 hours');
    const read = (world: World) => {
      const request = { eventId: world.eventId, uncounted: true };
      const askPage = (cursor?: string) =>
        ask<Page<object>>(world, 'guests.list', { ...request, ...(cursor !== undefined && { cursor }) });
      return rowsRead(world.service.get(DataSource), () => readPages(askPage));
    };
    const [less, more] = [await read(few), await read(many)];
    // Each page reads some rows besides the guests. Reading from the start for each page would give a factor
    // of 100.
    expect(more / less).toBeLessThanOrEqual(2 * AT_MOST);
  });

  it('counts recipients without the index by reading rows in proportion to the guests', async () => {
    const read = async (world: World) => {
      await world.service.owner.query('DROP INDEX events.event_registrations_came_idx');
      return rowsRead(world.service.get(DataSource), () =>
        ask(world, 'eventMessages.audience', { eventId: world.eventId }),
      );
    };
    expect(await read(many)).toBeLessThanOrEqual(AT_MOST * (await read(few)));
  });

  it('reads rows at most in proportion to the number of guests when changing data', async () => {
    await setTime('1 day');
    expect(await compare(listChanges())).toEqual([]);
    await setTime('-1 hour');
    expect(await compare(listChanges('running'))).toEqual([]);
    await setTime('1 day');
    expect(await compare(listChanges('last'))).toEqual([]);
  });
});
