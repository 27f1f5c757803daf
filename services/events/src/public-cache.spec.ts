import { createHash, randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type EventPage, type Identity, messagesOf, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { AnswerConnection } from '@meetmark/platform';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { startRedis, testRedis, until, type TestRedis } from '@meetmark/testing';
import { eventFields } from '@meetmark/testing/factories/samples';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { PublicCache } from './public-cache.js';
import { openEvents, type TestEvents } from './testing/open-events.js';

async function openCache({ ownerUrl, urlFor }: TestRedis) {
  const open = async (url: string) => {
    const redis = redisConnection(url, { maxRetriesPerRequest: null }); // as that over which a service answers
    await connectForever(redis);
    return redis;
  };
  const [own, redis] = [await open(urlFor('events')), await open(ownerUrl)];
  const close = () => [own, redis].forEach((each) => each.disconnect());
  /** As somebody reads it who was answered over the service's connection. */
  const version = async () => {
    await own.ping();
    return Number(await redis.get(PUBLIC_EVENTS_VERSION));
  };
  return { cache: new PublicCache(new AnswerConnection(own)), redis, version, close };
}

describe('the version of the public answers', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('is raised before a change, and after it before anything that is sent later', async () => {
    const { cache, version, close } = await openCache(await testRedis());
    const before = await version();
    const during = await cache.changing(async () => {
      await until('the first raise', 10_000, async () => (await version()) > before);
      return version();
    });
    expect(await version()).toBeGreaterThan(during);
    close();
  });

  it('is raised after a change that failed, since its commit may have got through', async () => {
    const { cache, redis, version, close } = await openCache(await testRedis());
    await redis.set(PUBLIC_EVENTS_VERSION, 100);
    const failing = cache.changing(async () => {
      throw new Error('connection lost');
    });
    await expect(failing).rejects.toThrow('connection lost');
    expect(await version()).toBe(102);
    close();
  });

  it('is raised again when Redis refused it', async () => {
    const { cache, redis, close } = await openCache(await testRedis());
    await redis.set(PUBLIC_EVENTS_VERSION, 'no number');
    await cache.changing(async () => undefined);
    await redis.del(PUBLIC_EVENTS_VERSION);
    await until('the version', 10_000, async () => (await redis.get(PUBLIC_EVENTS_VERSION)) === '2');
    close();
  });

  it('keeps a change from being begun while Redis is away, and catches up with one that was', async () => {
    const server = await startRedis();
    const { cache, version, close } = await openCache(server);
    let begun = 0;
    let raised = 0;
    const during = cache.changing(async () => {
      begun += 1;
      raised = await version();
      await server.kill('SIGKILL');
      return 'committed';
    });
    expect(await during).toBe('committed');
    await expect(cache.changing(async () => (begun += 1))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { outcome: 'not-started' },
    });
    expect(begun).toBe(1);
    await server.restart();
    expect(await version()).toBeGreaterThan(raised);
    close();
    await server.stop();
  });
});

/** Messages that change something, but nothing that public answers show. */
const UNSEEN = [
  ...['calendar.member', 'calendar.getFeed', 'calendar.createFeed', 'calendar.revokeFeed'],
  ...['events.createPreview', 'events.revokePreview', 'events.getPreview'],
  ...['door.createLink', 'door.revokeLink', 'door.checkIn', 'door.checkInSelf'],
  ...['eventMessages.create', 'eventMessages.change', 'eventMessages.cancel', 'eventMessages.test'],
  'eventMessages.setGuest',
  ...['proposals.make', 'proposals.accept', 'proposals.decline'],
  ...['hostMessages.write', 'hostMessages.writeAsVisitor'],
  ...['subscriptions.request', 'subscriptions.confirm', 'subscriptions.setList'],
  ...['topics.follow', 'topics.unfollow'],
];

describe('a message that changes what public answers show raises their version', () => {
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

  const member = async (): Promise<Identity> => ({
    sub: (await insertUser(events.owner)).id,
    isAdmin: false,
    epoch: 1,
  });
  const event = async (given: Parameters<typeof insertEvent>[1] = {}) =>
    (await insertEvent(events.owner, { createdById: admin.sub, ...given })).id;
  const guest = async (eventId: string, status: 'registered' | 'waitlisted' = 'registered') => {
    const { sub: userId } = await member();
    return insertRegistration(events.owner, { eventId, userId, status });
  };
  const topic = async () => {
    const { id } = (await send('topics.create', { id: randomUUID(), name: randomUUID() }, admin)) as {
      id: string;
    };
    return id;
  };
  const picture = () => {
    const bytes = Buffer.from(randomUUID());
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { hash, base64: bytes.toString('base64'), width: 16, height: 9 };
  };
  const pictured = async () => {
    const eventId = await event();
    const request = { eventId, alt: 'The hall', picture: picture() };
    const { gallery } = (await send('gallery.add', request, admin)) as EventPage;
    return { eventId, id: gallery![0]!.id };
  };
  const send = (name: string, request: object, identity: Identity) =>
    caller.rpc.call(
      messagesOf('events').find((one) => one.name === name)!,
      request,
      { identity },
    );

  type Prepared = { request: object; identity?: Identity };
  /** What each of them is sent, in a state in which it succeeds. */
  const CHANGES: Record<string, () => Promise<Prepared>> = {
    'topics.create': () => Promise.resolve({ request: { id: randomUUID(), name: 'Search' } }),
    'topics.change': async () => ({ request: { topicId: await topic(), name: 'Analytics' } }),
    'topics.delete': async () => ({ request: { topicId: await topic() } }),
    'topics.merge': async () => ({ request: { topicId: await topic(), into: await topic() } }),
    'events.answerRole': async () => {
      const identity = await member();
      const eventId = await event();
      await events.owner.query(
        `INSERT INTO events.event_people (event_id, role, position, user_id) VALUES ($1, 'host', 0, $2)`,
        [eventId, identity.sub],
      );
      return { request: { eventId, role: 'host', agreed: true }, identity };
    },
    'events.create': () => Promise.resolve({ request: form() }),
    'events.update': async () => ({ request: { ...form(), eventId: await event() } }),
    'events.publish': async () => ({ request: { eventId: await event({ status: 'draft' }) } }),
    'events.cancel': async () => ({ request: { eventId: await event() } }),
    'events.changeSlug': async () => ({ request: { eventId: await event(), slug: `of-${randomUUID()}` } }),
    'events.makeSeries': async () => ({ request: { eventId: await event(), every: 'week', count: 2 } }),
    'events.delete': async () => ({ request: { eventId: await event() } }),
    'events.handOver': async () => ({
      request: { fromUserId: (await member()).sub, toUserId: admin.sub },
    }),
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
      identity: await member(),
    }),
    'registrations.change': async () => {
      const eventId = await event();
      const { userId } = await guest(eventId);
      return { request: { eventId, showMe: 'no' }, identity: { sub: userId, isAdmin: false, epoch: 1 } };
    },
    'registrations.unregister': async () => {
      const eventId = await event();
      const { userId } = await guest(eventId);
      return { request: { eventId }, identity: { sub: userId, isAdmin: false, epoch: 1 } };
    },
    'registrations.followDeletedAccount': () => Promise.resolve({ request: {} }),
    'waitlist.promote': async () => {
      const eventId = await event({ capacity: 1 });
      await guest(eventId);
      const { userId } = await guest(eventId, 'waitlisted');
      return { request: { eventId, userId, raiseCapacity: true } };
    },
    'waitlist.remove': async () => {
      const eventId = await event({ capacity: 1 });
      await guest(eventId);
      const { userId } = await guest(eventId, 'waitlisted');
      return { request: { eventId, userId } };
    },
    'door.walkIn': async () => {
      const eventId = await event();
      const { token } = (await send('door.createLink', { eventId }, admin)) as { token: string };
      const at = new Date().toISOString();
      return { request: { token, key: randomUUID(), name: 'Wanda Walker', at, sentAt: at } };
    },
    'guests.add': async () => ({ request: { eventId: await event(), name: 'Gail Guest' } }),
    'guests.change': async () => {
      const eventId = await event();
      return { request: { eventId, guestId: (await guest(eventId)).id, paid: true } };
    },
    'guests.remove': async () => {
      const eventId = await event();
      return { request: { eventId, guestId: (await guest(eventId)).id } };
    },
    'guests.place': async () => {
      const eventId = await event({ capacity: 1 });
      await guest(eventId);
      const { id: guestId } = await guest(eventId, 'waitlisted');
      return { request: { eventId, guestId, raiseCapacity: true } };
    },
  };
  const form = () => {
    const { bannerImageUrl, ...fields } = eventFields();
    return { ...fields, banner: { action: bannerImageUrl ?? 'remove' } };
  };

  it('and each message is one of them, or shown by no public answer, or changes nothing', () => {
    const changing = messagesOf('events').filter(({ reads }) => !reads);
    expect([...Object.keys(CHANGES), ...UNSEEN].sort()).toEqual(changing.map(({ name }) => name).sort());
  });

  it.each(Object.keys(CHANGES))('%s', async (name) => {
    const { request, identity = admin } = await CHANGES[name]!();
    const version = async () => Number(await events.redis.get(PUBLIC_EVENTS_VERSION));
    const before = await version();
    await send(name, request, identity);
    // The answer follows the second raise on the same connection.
    expect(await version()).toBeGreaterThanOrEqual(before + 2);
  });
});
