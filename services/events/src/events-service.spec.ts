import {
  CountRegistrations,
  CreateEvent,
  GetEvent,
  ListPublicEvents,
  messagesOf,
  Register,
  type Identity,
  type Message,
} from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { openEvents, persistently, type TestEvents } from './testing/open-events.js';

const REPLICAS = 2;

/** The whole service behind its queue, as the gateway meets it. */
describe('the events service', () => {
  let events: TestEvents;
  let owner: TestEvents['owner'];
  let caller: TestCaller;
  let member: Identity;
  let admin: Identity;
  beforeAll(async () => {
    events = await openEvents();
    ({ owner } = events);
    for (let i = 0; i < REPLICAS; i += 1) await events.serve();
    caller = await openCaller(events.config);
    member = { sub: (await insertUser(owner)).id, isAdmin: false, epoch: 1 };
    admin = { sub: (await insertAdministrator(owner)).id, isAdmin: true, epoch: 1 };
  });
  afterAll(async () => {
    caller.close();
    await events.close();
  });

  const codeOf = (message: Message, request: object, identity: Identity | null) =>
    caller.rpc.call(message, request, { identity }).then(
      () => 'ok',
      (error: { code: string }) => error.code,
    );

  it.each(
    messagesOf('events')
      .filter(({ access }) => access === 'admin')
      .map((message) => [message.name, message] as const),
  )('refuses %s to an administrator who is none any more, whatever the token says', async (_, message) => {
    expect(await codeOf(message, {}, { ...member, isAdmin: true })).toBe('FORBIDDEN');
  });

  it.each(
    messagesOf('events')
      .filter(({ access }) => access === 'admin')
      .map((message) => [message.name, message] as const),
  )(
    'refuses %s to an administrator who lacks the second factor that their right needs',
    async (_, message) => {
      // the gateway, which knows, signs them as a member
      expect(await codeOf(message, {}, { ...admin, isAdmin: false })).toBe('FORBIDDEN');
    },
  );

  const form = (given: object = {}) => ({
    title: 'Search marketing meetup',
    startDate: '2031-05-01T17:00:00Z',
    endDate: '2031-05-01T19:00:00Z',
    banner: { action: 'remove' },
    ...given,
  });

  it.each(messagesOf('events').map((message) => [message.name, message] as const))(
    'lets nobody send %s who may not',
    async (_, message) => {
      const open = message.access === 'public' || message.access === 'internal';
      const refusedAnonymous = (await codeOf(message, {}, null)) === 'UNAUTHORIZED';
      const refusedMember = (await codeOf(message, {}, member)) === 'FORBIDDEN';
      const refusedAdmin = ['UNAUTHORIZED', 'FORBIDDEN'].includes(await codeOf(message, {}, admin));
      expect({ refusedAnonymous, refusedMember, refusedAdmin }).toEqual({
        refusedAnonymous: !open,
        refusedMember: message.access === 'admin',
        refusedAdmin: false,
      });
    },
  );

  it.each([
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(256) }, 'title'],
    [{ title: 'two\nlines' }, 'title'],
    [{ location: 'x'.repeat(256) }, 'location'],
    [{ description: 'x'.repeat(10_001) }, 'description'],
    [{ description: 'nul \0' }, 'description'],
    [{ capacity: 0 }, 'capacity'],
    [{ capacity: 1.5 }, 'capacity'],
    [{ capacity: 1_000_001 }, 'capacity'],
    [{ price: '-1' }, 'price'],
    [{ price: '0.001' }, 'price'],
    [{ price: '1000000.01' }, 'price'],
    [{ format: 'remote' }, 'format'],
    [{ format: ['online'] }, 'format'],
    [{ startDate: 'tomorrow' }, 'startDate'],
    [{ endDate: '2031-05-01T19:00:00' }, 'endDate'],
    [{ registrationCount: 5 }, 'registrationCount'],
    [{ createdById: '0197f000-0000-7000-8000-000000000000' }, 'createdById'],
  ])('names the field that is wrong in %j', async (given, field) => {
    const refused = caller.rpc.call(CreateEvent as Message, form(given), { identity: admin });
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { [field]: [expect.any(String)] } },
    });
  });

  it.each([
    { title: 'x'.repeat(255) },
    { location: 'x'.repeat(255), description: 'x'.repeat(10_000) },
    { capacity: 1, price: 0.01 },
    { format: 'hybrid' },
    { format: null },
    { capacity: null, price: '', location: '', description: '' },
  ])('takes %j', async (given) => {
    expect(await codeOf(CreateEvent, form(given), admin)).toBe('ok');
  });

  it('answers everybody about an event, and a member about their own place', async () => {
    const { id: eventId } = await insertEvent(owner);
    const { registration } = await caller.rpc.call(Register, { eventId }, { identity: member });
    expect(await caller.rpc.call(CountRegistrations, { eventId })).toEqual({ count: 1 });
    expect(await caller.rpc.call(GetEvent, { eventId })).toMatchObject({ registrations: [] });
    expect(await caller.rpc.call(GetEvent, { eventId }, { identity: member })).toMatchObject({
      registrations: [registration],
    });
    const { items } = await caller.rpc.call(ListPublicEvents, {}, { identity: member });
    expect(items.flatMap((event) => event.registrations)).toEqual([]);
  });

  it('tells nobody who registers for the first time that they were there before, with several replicas', async () => {
    const { id: eventId } = await insertEvent(owner);
    const members: Identity[] = [];
    for (let i = 0; i < 200; i += 1)
      members.push({ sub: (await insertUser(owner)).id, isAdmin: false, epoch: 1 });
    const answers = await Promise.all(
      members.map((identity) => persistently(() => caller.rpc.call(Register, { eventId }, { identity }))),
    );
    expect(answers.filter((answer) => !answer.created)).toEqual([]);
    expect(await caller.rpc.call(CountRegistrations, { eventId })).toEqual({ count: members.length });
  });
});
