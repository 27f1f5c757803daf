import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type EventPage, type Identity, listMessages, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { AnswerConnection } from '@meetmark/platform';
import { DatabaseError } from 'pg';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { codes, startRedis, testRedis, until, type TestRedis } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { PublicCache } from './public-cache.js';
import { createPicture } from './testing/manage-events.js';
import { eventForm, openEvents, type TestEvents } from './testing/open-events.js';

const connections: ReturnType<typeof redisConnection>[] = [];
const servers: Awaited<ReturnType<typeof startRedis>>[] = [];

async function openCache({ ownerUrl, urlFor }: TestRedis) {
  const open = async (url: string) => {
    const redis = redisConnection(url, { maxRetriesPerRequest: null }); // the options that services use
    await connectForever(redis);
    return redis;
  };
  const [own, redis] = [await open(urlFor('events')), await open(ownerUrl)];
  connections.push(own, redis);
  const version = async () => {
    await own.ping();
    return Number(await redis.get(PUBLIC_EVENTS_VERSION));
  };
  const cache = new PublicCache(new AnswerConnection(own), undefined as never);
  const change = <T>(run: () => Promise<T>, { isLikely = true, isChange = true } = {}) =>
    cache.statement({ isLikely: () => Promise.resolve(isLikely), run, isChange: () => isChange });
  return { change, redis, version };
}

describe('the public cache', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.disconnect();
    for (const server of servers.splice(0)) await server.stop();
  });

  it('raises the version before a change and again before the response', async () => {
    const { change, version } = await openCache(await testRedis());
    const before = await version();
    const during = await change(async () => {
      await until('the first rise', 60_000, async () => (await version()) > before);
      return version();
    });
    expect(await version()).toBeGreaterThan(during);
  });

  it.each([
    ['again after a lost connection, which may hide a commit', new Error('connection lost'), 2],
    ['only once when PostgreSQL rejects the change', new DatabaseError('full', 1, 'error'), 1],
  ])('raises the version %s', async (_, error, by) => {
    const { change, version } = await openCache(await testRedis());
    const before = await version();
    await expect(change(() => Promise.reject(error))).rejects.toBe(error);
    expect((await version()) - before).toBe(by);
  });

  it('raises the version after an unpredicted change, but not if nothing changed', async () => {
    const { change, version } = await openCache(await testRedis());
    const before = await version();
    await change(async () => undefined, { isLikely: false, isChange: false });
    expect(await version()).toBe(before);
    await change(async () => undefined, { isLikely: false });
    expect(await version()).toBe(before + 1);
  });

  it('retries raising the version until Redis accepts the increment', async () => {
    const { change, redis } = await openCache(await testRedis());
    await redis.set(PUBLIC_EVENTS_VERSION, 'no number');
    await change(async () => undefined);
    await redis.del(PUBLIC_EVENTS_VERSION);
    await until('the version', 60_000, async () => (await redis.get(PUBLIC_EVENTS_VERSION)) === '2');
  });

  it('rejects changes without Redis, and raises the version after Redis restarts', async () => {
    const server = await startRedis();
    servers.push(server);
    const { change, version } = await openCache(server);
    let begun = 0;
    let raised = 0;
    const during = change(async () => {
      begun += 1;
      raised = await version();
      await server.kill('SIGKILL');
      return 'committed';
    });
    expect(await during).toBe('committed');
    await expect(change(async () => (begun += 1))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { outcome: 'not-started' },
    });
    expect(begun).toBe(1);
    await server.restart();
    expect(await version()).toBeGreaterThan(raised);
  });
});

/** Messages that change nothing that visitors see. */
const UNSEEN = Object.entries({
  calendar: 'event public managed member getFeed createFeed revokeFeed',
  door: 'findVenue get getOwnCode getSnapshot createLink revokeLink checkIn checkInSelf',
  eventMessages: 'audience findGuest get list preview recipients create change cancel test setGuest',
  events:
    'attendees count find get getPreviewLink list listAddresses listPublic listRoles listVenues mayManage summarise' +
    ' createPreview revokePreview getPreview',
  guests: 'list change',
  hostMessages: 'write writeAsVisitor',
  imports: 'create addRows list listRows',
  members: 'find findForEvent',
  pictures: 'getBanner getOfGallery isInGallery',
  proposals: 'list listOwn make accept decline',
  registrations: 'activity answers faces list myEvents ofMember own',
  subscriptions: 'findList request confirm setList',
  topics: 'calendar list listFollowed follow unfollow',
  waitlist: 'list',
}).flatMap(([prefix, names]) => names.split(' ').map((name) => `${prefix}.${name}`));

describe('the effect of each message on the public cache', () => {
  let events: TestEvents;
  let caller: TestCaller;
  let admin: Identity;
  beforeAll(async () => {
    events = await openEvents();
    await events.serve();
    caller = await openCaller(events.config);
    admin = await events.administrator();
  });
  afterAll(async () => {
    caller.close();
    await events.close();
  });

  const event = async (given: Parameters<typeof insertEvent>[1] = {}) =>
    (await insertEvent(events.owner, { createdById: admin.sub, ...given })).id;
  const guest = async (eventId: string, status: 'registered' | 'waitlisted' = 'registered') => {
    const identity = await events.person();
    const [id] = (await events.register(eventId, [identity.sub], status)) as [string];
    return { id, identity, userId: identity.sub };
  };
  const fullEvent = async () => {
    const eventId = await event({ capacity: 1, waitlistEnabled: false });
    await guest(eventId);
    return eventId;
  };
  const topic = async () => {
    const { id } = (await send('topics.create', { id: randomUUID(), name: randomUUID() }, admin)) as {
      id: string;
    };
    return id;
  };
  const picture = () => createPicture(randomUUID());
  const pictured = async () => {
    const eventId = await event();
    const request = { eventId, alt: 'The hall', picture: picture() };
    const { gallery } = (await send('gallery.add', request, admin)) as EventPage;
    return { eventId, id: gallery![0]!.id };
  };
  const importedRow = async () => {
    const { id: importId } = (await send('imports.create', { fileName: 'events.csv' }, admin)) as {
      id: string;
    };
    const { title, startDate, endDate } = eventForm({
      startDate: '2020-05-01T17:00:00.000Z',
      endDate: '2020-05-01T19:00:00.000Z',
    });
    const rows = [{ number: 1, key: randomUUID(), fields: { title, startDate, endDate } }];
    await send('imports.addRows', { importId, rows }, admin);
    return importId;
  };
  const send = (name: string, request: object, identity: Identity) =>
    caller.rpc.call(
      listMessages('events').find((one) => one.name === name)!,
      request,
      { identity },
    );

  type Prepared = { request: object; identity?: Identity };
  /** Each request changes something the first time. A repetition is refused or changes nothing. */
  const CHANGES: Record<string, () => Promise<Prepared>> = {
    'topics.create': async () => ({ request: { id: randomUUID(), name: 'Search' } }),
    'topics.change': async () => ({ request: { topicId: await topic(), name: 'Analytics' } }),
    'topics.delete': async () => ({ request: { topicId: await topic() } }),
    'topics.merge': async () => ({ request: { topicId: await topic(), into: await topic() } }),
    'events.answerRole': async () => {
      const identity = await events.person();
      const eventId = await event();
      await events.owner.query(
        `INSERT INTO events.event_people (event_id, role, position, user_id, asked_by_id)
         VALUES ($1, 'host', 0, $2, $3)`,
        [eventId, identity.sub, admin.sub],
      );
      return { request: { eventId, role: 'host', agreed: true }, identity };
    },
    'events.create': async () => ({ request: { ...eventForm(), id: randomUUID() } }),
    'events.update': async () => ({
      request: { ...eventForm({ title: 'Renamed' }), eventId: await event() },
    }),
    'events.publish': async () => ({ request: { eventId: await event({ status: 'draft' }) } }),
    'events.cancel': async () => ({ request: { eventId: await event() } }),
    'events.changeSlug': async () => ({ request: { eventId: await event(), slug: `of-${randomUUID()}` } }),
    'events.makeSeries': async () => ({ request: { eventId: await event(), every: 'week', count: 2 } }),
    'events.delete': async () => ({ request: { eventId: await event() } }),
    'imports.continue': async () => ({ request: { importId: await importedRow() } }),
    'imports.undo': async () => {
      const importId = await importedRow();
      await send('imports.continue', { importId }, admin);
      return { request: { importId } };
    },
    'gallery.add': async () => ({ request: { eventId: await event(), alt: 'The hall', picture: picture() } }),
    'gallery.change': async () => {
      const { eventId, id } = await pictured();
      return { request: { eventId, pictures: [{ id, alt: 'Its door' }] } };
    },
    'gallery.remove': async () => {
      const { eventId, id: pictureId } = await pictured();
      return { request: { eventId, pictureId } };
    },
    'registrations.register': async () => ({
      request: { eventId: await event() },
      identity: await events.person(),
    }),
    'registrations.change': async () => {
      const eventId = await event();
      const { identity } = await guest(eventId);
      return { request: { eventId, showMe: 'no' }, identity };
    },
    'registrations.unregister': async () => {
      const eventId = await event();
      const { identity } = await guest(eventId);
      return { request: { eventId }, identity };
    },
    'waitlist.promote': async () => {
      const eventId = await fullEvent();
      const { userId } = await guest(eventId, 'waitlisted');
      return { request: { eventId, userId, raiseCapacity: true } };
    },
    'waitlist.remove': async () => {
      const eventId = await fullEvent();
      const { userId } = await guest(eventId, 'waitlisted');
      return { request: { eventId, userId } };
    },
    'door.walkIn': async () => {
      const eventId = await event();
      const { token } = (await send('door.createLink', { eventId }, admin)) as { token: string };
      const at = new Date().toISOString();
      return { request: { token, key: randomUUID(), name: 'Wanda Walker', at, sentAt: at } };
    },
    'guests.add': async () => ({
      request: { eventId: await event(), name: 'Gail Guest', email: 'gail@example.org' },
    }),
    'guests.remove': async () => {
      const eventId = await event();
      return { request: { eventId, ids: [(await guest(eventId)).id] } };
    },
    'guests.place': async () => {
      const eventId = await fullEvent();
      const { id: guestId } = await guest(eventId, 'waitlisted');
      return { request: { eventId, guestId, raiseCapacity: true } };
    },
  };

  const FOLLOWS = 'registrations.followDeletedAccount';

  it('has a test or an exemption for every message that changes data', () => {
    const all = listMessages('events').map(({ name }) => name);
    expect([...Object.keys(CHANGES), ...UNSEEN, FOLLOWS].sort()).toEqual(all.sort());
  });

  const version = async () => Number(await events.redis.get(PUBLIC_EVENTS_VERSION));
  const rise = async (name: string, { request, identity = admin }: Prepared) => {
    const before = await version();
    const [outcome] = await codes([send(name, request, identity)]);
    return { outcome, by: (await version()) - before };
  };

  const FOR_MEMBERS = /^(registrations\.|events\.answerRole|door\.walkIn)/;
  const invent = (request: object) =>
    Object.fromEntries(
      Object.entries(request).map(([field, value]) => {
        if (field === 'token') return [field, 'x'.repeat(43)];
        return [field, /^(eventId|topicId|importId)$/.test(field) ? randomUUID() : value];
      }),
    );

  it.each(Object.keys(CHANGES))(
    '%s raises the version before and after a change, but not if refused or repeated',
    async (name) => {
      const { request, identity } = await CHANGES[name]!();
      const stranger = await events.person();
      if (!FOR_MEMBERS.test(name))
        expect(await rise(name, { request, identity: stranger })).toEqual({ outcome: 'FORBIDDEN', by: 0 });
      if (!/^(events|topics)\.create$/.test(name))
        expect(await rise(name, { request: invent(request), identity })).toMatchObject({ by: 0 });
      expect(await rise(name, { request, identity })).toEqual({ outcome: 'ok', by: 2 });
      expect(await rise(name, { request, identity })).toMatchObject({ by: 0 });
    },
  );

  it(`${FOLLOWS} raises the version after a change by another process`, async () => {
    expect(await rise(FOLLOWS, { request: {} })).toEqual({ outcome: 'ok', by: 1 });
  });

  const draft = () => event({ status: 'draft' });
  const WITHOUT_CHANGE: Record<string, () => Promise<object>> = {
    'registrations.register, EVENT_FULL': async () => ({ eventId: await fullEvent() }),
    'registrations.register, VALIDATION_FAILED': async () => ({
      eventId: await event(),
      selectedDate: '2000-01-01T00:00:00.000Z',
    }),
    'registrations.register, EVENT_CANCELLED': async () => ({
      eventId: await event({ status: 'cancelled' }),
    }),
    'events.update, EDIT_CONFLICT': async () => ({ ...eventForm(), eventId: await event(), version: 7 }),
    'events.changeSlug, SLUG_TAKEN': async () => {
      const [eventId, other, slug] = [await event(), await event(), `taken-${randomUUID()}`];
      await send('events.changeSlug', { eventId: other, slug }, admin);
      return { eventId, slug };
    },
    'events.create, ok': async () => eventForm({ status: 'draft' }),
    'events.update, ok': async () => ({ ...eventForm({ title: 'Renamed' }), eventId: await draft() }),
    'events.delete, ok': async () => ({ eventId: await draft() }),
    'guests.change, ok': async () => {
      const eventId = await event();
      return { eventId, guestId: (await guest(eventId)).id, note: 'vegan' };
    },
  };

  it.each(Object.entries(WITHOUT_CHANGE))(
    'a refused call, or one about a draft or a note, does not raise the version: %s',
    async (name, prepare) => {
      const [message, outcome] = name.split(', ') as [string, string];
      expect(await rise(message, { request: await prepare() })).toEqual({ outcome, by: 0 });
    },
  );

  it('raises the version when a repeated registration request changes the visibility', async () => {
    const eventId = await event();
    const { identity } = await guest(eventId);
    const request = { eventId, showMe: 'no' };
    expect(await rise('registrations.register', { request, identity })).toEqual({ outcome: 'ok', by: 2 });
    expect(await rise('registrations.register', { request, identity })).toEqual({ outcome: 'ok', by: 0 });
  });
});
