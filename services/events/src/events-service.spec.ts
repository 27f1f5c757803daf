import {
  CountRegistrations,
  CreateEvent,
  GetEvent,
  ListPublicEvents,
  MayManage,
  messagesOf,
  Register,
  type Identity,
  type Message,
} from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { CALLERS, type CallerKind, MAY, whoMaySend } from '@meetmark/testing/access';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { openEvents, persistently, type TestEvents } from './testing/open-events.js';

const REPLICAS = 2;
const UNKNOWN = '0197f000-0000-7000-8000-000000000000';
const ITEM = { startsAt: '2031-05-01T17:00:00Z', title: 'Doors' };

/** The whole service behind its queue, as the gateway meets it. */
describe('the events service', () => {
  let events: TestEvents;
  let owner: TestEvents['owner'];
  let caller: TestCaller;
  let member: Identity;
  let admin: Identity;
  let callers: Record<CallerKind, Identity | null>;
  let managed: string;
  beforeAll(async () => {
    events = await openEvents();
    ({ owner } = events);
    for (let i = 0; i < REPLICAS; i += 1) await events.serve();
    caller = await openCaller(events.config);
    member = { sub: (await insertUser(owner)).id, isAdmin: false, epoch: 1 };
    admin = { sub: (await insertAdministrator(owner)).id, isAdmin: true, epoch: 1 };
    const organiser = async (): Promise<Identity> => {
      const { id: sub } = await insertUser(owner, { isOrganiser: true });
      return { sub, isAdmin: false, isOrganiser: true, epoch: 1 };
    };
    const own = await organiser();
    const coHost = { ...member, sub: (await insertUser(owner)).id };
    ({ id: managed } = await insertEvent(owner, { createdById: own.sub }));
    await owner.query(
      `INSERT INTO events.event_people (event_id, role, position, user_id, agreed_at, manages, manages_agreed_at)
       VALUES ($1, 'host', 0, $2, now(), true, now())`,
      [managed, coHost.sub],
    );
    callers = {
      ...{ visitor: null, member, owner: admin, 'co-host': coHost },
      ...{ 'other organiser': await organiser(), 'own organiser': own },
    };
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
      .filter(({ access }) => MAY[access].member === 'FORBIDDEN')
      .map((message) => [message.name, message] as const),
  )(
    'refuses %s to owners and organisers who are none any more, whatever the token says',
    async (_, message) => {
      const request = { eventId: managed };
      expect(await codeOf(message, request, { ...member, isAdmin: true })).toBe('FORBIDDEN');
      expect(await codeOf(message, request, { ...member, isOrganiser: true })).toBe('FORBIDDEN');
    },
  );

  it.each(
    messagesOf('events')
      .filter(({ access }) => MAY[access].member === 'FORBIDDEN')
      .map((message) => [message.name, message] as const),
  )('refuses %s to an owner who lacks the second factor that their right needs', async (_, message) => {
    // the gateway, which knows, signs them as a member
    expect(await codeOf(message, { eventId: managed }, { ...admin, isAdmin: false })).toBe('FORBIDDEN');
  });

  const form = (given: object = {}) => ({
    title: 'Search marketing meetup',
    startDate: '2031-05-01T17:00:00Z',
    endDate: '2031-05-01T19:00:00Z',
    banner: { action: 'remove' },
    ...given,
  });

  it.each(messagesOf('events').map((message) => [message.name, message] as const))(
    'lets those send %s whom the table of roles lets in, and nobody else',
    async (_, message) => {
      // with a field that no message has: the right is asked before the request is looked at, and nothing is done
      const request = { eventId: managed, isRoot: true };
      const answers: [string, string][] = [];
      for (const kind of CALLERS) {
        const code = await codeOf(message, request, callers[kind]);
        answers.push([kind, code === 'UNAUTHORIZED' || code === 'FORBIDDEN' ? code : 'yes']);
      }
      expect(Object.fromEntries(answers)).toEqual(whoMaySend(message.name));
    },
  );

  const unpublished = async (createdById: string) =>
    (await insertEvent(owner, { createdById, status: 'draft' })).id;

  it('says of a draft and of an id that nobody has the same to those who manage another event', async () => {
    const { 'own organiser': own, 'other organiser': other, 'co-host': coHost } = callers;
    const draft = await unpublished(own!.sub);
    for (const eventId of [draft, UNKNOWN]) {
      expect(await codeOf(MayManage, { eventId }, other)).toBe('EVENT_NOT_FOUND');
      expect(await codeOf(MayManage, { eventId }, coHost)).toBe('EVENT_NOT_FOUND');
      expect(await codeOf(MayManage, { eventId }, member)).toBe('FORBIDDEN');
    }
    expect(await codeOf(MayManage, { eventId: draft }, own)).toBe('ok');
    expect(await codeOf(MayManage, { eventId: managed }, other)).toBe('FORBIDDEN');
  });

  it('lets nobody manage who was asked and has not agreed, or is no organiser any more', async () => {
    const { id } = await insertUser(owner, { isOrganiser: true });
    const organiser = { ...member, sub: id, isOrganiser: true };
    const eventId = await unpublished(id);
    expect(await codeOf(MayManage, { eventId }, organiser)).toBe('ok');
    await owner.query('UPDATE auth.users SET is_organiser = false WHERE id = $1', [id]);
    expect(await codeOf(MayManage, { eventId }, organiser)).toBe('FORBIDDEN');
    const coHost = { ...member, sub: (await insertUser(owner)).id };
    for (const { sub } of [organiser, coHost])
      await owner.query(
        `INSERT INTO events.event_people (event_id, role, position, user_id, agreed_at, manages)
         VALUES ($1, 'host', 0, $2, now(), true)`,
        [eventId, sub],
      );
    expect(await codeOf(MayManage, { eventId }, coHost)).toBe('FORBIDDEN');
    await owner.query('UPDATE events.event_people SET manages_agreed_at = now() WHERE event_id = $1', [
      eventId,
    ]);
    expect(await codeOf(MayManage, { eventId }, coHost)).toBe('ok');
    // who created the event manages it as an organiser, or not at all
    expect(await codeOf(MayManage, { eventId }, organiser)).not.toBe('ok');
    await owner.query('DELETE FROM events.event_people WHERE event_id = $1', [eventId]);
    expect(await codeOf(MayManage, { eventId }, coHost)).toBe('FORBIDDEN');
  });

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
    [{ createdById: UNKNOWN }, 'createdById'],
    [{ descriptionFormat: 'html' }, 'descriptionFormat'],
    [{ paymentNote: 'x'.repeat(301) }, 'paymentNote'],
    [{ venue: [{ name: 'Platform' }] }, 'venue'],
    [{ venue: 'Platform' }, 'venue'],
    [{ venue: { name: '' } }, 'venue.name'],
    [{ venue: { name: 'x'.repeat(151) } }, 'venue.name'],
    [{ venue: { name: 'Platform', address: 'x'.repeat(256) } }, 'venue.address'],
    [{ venue: { name: 'Platform', note: 'x'.repeat(501) } }, 'venue.note'],
    [{ venue: { name: 'Platform', mapUrl: 'javascript:alert(1)' } }, 'venue.mapUrl'],
    [{ venue: { name: 'Platform', city: 'Leeds' } }, 'venue.city'],
    [{ onlineUrl: 'http://meet.example/1' }, 'onlineUrl'],
    [{ onlineUrl: 'javascript:alert(1)' }, 'onlineUrl'],
    [{ onlineUrl: `https://meet.example/${'x'.repeat(1000)}` }, 'onlineUrl'],
    [{ onlineNote: 'x'.repeat(501) }, 'onlineNote'],
    [{ accessibility: 'x'.repeat(501) }, 'accessibility'],
    [{ hosts: 'Ada' }, 'hosts'],
    [{ hosts: [5] }, 'hosts'],
    [{ hosts: Array(11).fill(UNKNOWN) }, 'hosts'],
    [{ hosts: [UNKNOWN, UNKNOWN.toUpperCase()] }, 'hosts'],
    [{ hosts: [UNKNOWN] }, 'hosts[0]'],
    [{ agenda: { title: 'Doors' } }, 'agenda'],
    [{ agenda: [[{ title: 'Doors' }]] }, 'agenda'],
    [{ agenda: [null] }, 'agenda'],
    [{ agenda: Array(51).fill(ITEM) }, 'agenda'],
    [{ agenda: [ITEM, { ...ITEM, title: 'x'.repeat(151) }] }, 'agenda[1].title'],
    [{ agenda: [{ ...ITEM, title: undefined }] }, 'agenda[0].title'],
    [{ agenda: [{ ...ITEM, note: 'x'.repeat(501) }] }, 'agenda[0].note'],
    [{ agenda: [{ ...ITEM, startsAt: 'soon' }] }, 'agenda[0].startsAt'],
    [{ agenda: [{ ...ITEM, startsAt: '2031-05-01T16:00:00Z' }] }, 'agenda[0].startsAt'],
    [{ agenda: [{ ...ITEM, room: 'A' }] }, 'agenda[0].room'],
    [{ speakers: Array(31).fill({ name: 'Grace' }) }, 'speakers'],
    [{ speakers: [{ name: 'Grace' }, { role: 'Admiral' }] }, 'speakers'],
    [{ speakers: [{ name: 'x'.repeat(101) }] }, 'speakers[0].name'],
    [{ speakers: [{ name: 'Grace', linkUrl: 'javascript:alert(1)' }] }, 'speakers[0].linkUrl'],
    [{ speakers: [{ name: 'Grace', bio: 'x'.repeat(1001) }] }, 'speakers[0].bio'],
    [{ speakers: [{ userId: UNKNOWN }] }, 'speakers[0].userId'],
    [{ resources: Array(21).fill({ title: 'Slides', url: 'https://slides.example' }) }, 'resources'],
    [{ resources: [{ title: 'Slides', url: 'http://slides.example' }] }, 'resources[0].url'],
    [{ resources: [{ title: '', url: 'https://slides.example' }] }, 'resources[0].title'],
    [{ recap: 'x'.repeat(10_001) }, 'recap'],
  ])('names the field that is wrong in %j', async (given, field) => {
    const sent = JSON.parse(JSON.stringify(form(given))) as object;
    const refused = caller.rpc.call(CreateEvent as Message, sent, { identity: admin });
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        fields: {
          [field]: expect.arrayContaining([expect.any(String)]),
        },
      },
    });
  });

  it.each([
    { title: 'x'.repeat(255) },
    { location: 'x'.repeat(255), description: 'x'.repeat(10_000) },
    { capacity: 1, price: 0.01 },
    { format: 'hybrid' },
    { venue: { name: 'x'.repeat(150), address: '', note: 'Ring\ntwice', mapUrl: 'http://map.example' } },
    { onlineUrl: 'HTTPS://meet.example/1?pwd=2', onlineNote: 'Passcode' },
    { agenda: Array(50).fill(ITEM), hosts: [], speakers: Array(30).fill({ name: 'Grace' }) },
    {
      resources: Array(20).fill({ title: 'Slides', url: 'https://slides.example' }),
      recap: 'x'.repeat(10_000),
    },
    { venue: null, onlineUrl: '', hosts: null, agenda: null, speakers: null, resources: null, recap: null },
    { format: null },
    { capacity: null, price: '', location: '', description: '' },
  ])('takes %j', async (given) => {
    expect(await codeOf(CreateEvent, form(given), admin)).toBe('ok');
  });

  it('names the item that is one too many', async () => {
    const sent = form({ agenda: Array(51).fill(ITEM), onlineUrl: 'meet.example' });
    await expect(caller.rpc.call(CreateEvent as Message, sent, { identity: admin })).rejects.toMatchObject({
      details: {
        fields: {
          agenda: ['agenda[50] is one too many: there may be 50'],
          onlineUrl: ['onlineUrl must start with https://'],
        },
      },
    });
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
    const register = (identity: Identity) =>
      persistently(() => caller.rpc.call(Register, { eventId }, { identity }));
    for (let round = 1; round <= 4; round += 1) {
      const members: Identity[] = [];
      for (let i = 0; i < 50; i += 1)
        members.push({ sub: (await insertUser(owner)).id, isAdmin: false, epoch: 1 });
      const answers = await Promise.all(members.map(register));
      expect(answers.filter((answer) => !answer.created)).toEqual([]);
      expect(await caller.rpc.call(CountRegistrations, { eventId })).toEqual({ count: round * 50 });
    }
  });
});
