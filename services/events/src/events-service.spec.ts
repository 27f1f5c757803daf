import {
  CountRegistrations,
  CreateEvent,
  GetEvent,
  ListPublicEvents,
  MayManage,
  listMessages,
  Register,
  UpdateEvent,
  type Identity,
  type Message,
} from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { CALLERS, type CallerKind, MAY, whoMaySend } from '@meetmark/testing/access';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser, updateRow } from '@meetmark/testing/factories/users';
import { openEvents, persistently, type TestEvents } from './testing/open-events.js';

const REPLICAS = 2;
const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

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
    callers = {
      ...{ visitor: null, member, owner: admin, 'co-host': coHost },
      ...{ 'other organiser': await organiser(), 'own organiser': own },
    };
    managed = await insertManaged();
  });
  afterAll(async () => {
    caller.close();
    await events.close();
  });

  const insertManaged = async () => {
    const { id } = await insertEvent(owner, { createdById: callers['own organiser']!.sub });
    await owner.query(
      `INSERT INTO events.event_people (event_id, role, position, user_id, agreed_at, manages, manages_agreed_at)
       VALUES ($1, 'host', 0, $2, now(), true, now())`,
      [id, callers['co-host']!.sub],
    );
    return id;
  };

  const getResultCode = (message: Message, request: object, identity: Identity | null) =>
    caller.rpc.call(message, request, { identity }).then(
      () => 'ok',
      (error: { code: string }) => error.code,
    );

  it.each(
    listMessages('events')
      .filter(({ access }) => MAY[access].member === 'FORBIDDEN')
      .map((message) => [message.name, message] as const),
  )('rejects %s if the token grants a role that the account lacks', async (_, message) => {
    const request = { eventId: managed };
    expect(await getResultCode(message, request, { ...member, isAdmin: true })).toBe('FORBIDDEN');
    expect(await getResultCode(message, request, { ...member, isOrganiser: true })).toBe('FORBIDDEN');
  });

  it.each(
    listMessages('events')
      .filter(({ access }) => MAY[access].member === 'FORBIDDEN')
      .map((message) => [message.name, message] as const),
  )('rejects %s from an owner without the required second factor', async (_, message) => {
    // without the required second factor, the gateway gives an owner only the rights of a member
    expect(await getResultCode(message, { eventId: managed }, { ...admin, isAdmin: false })).toBe(
      'FORBIDDEN',
    );
  });

  const form = (given: object = {}) => ({
    title: 'Search marketing meetup',
    startDate: '2031-05-01T17:00:00Z',
    endDate: '2031-05-01T19:00:00Z',
    banner: { action: 'remove' },
    ...given,
  });

  it.each(listMessages('events').map((message) => [message.name, message] as const))(
    'accepts %s from exactly the roles in the access table',
    async (_, message) => {
      const answers: [string, string][] = [];
      for (const kind of CALLERS) {
        // each caller gets a new event, because some messages change the event
        const code = await getResultCode(message, { eventId: await insertManaged() }, callers[kind]);
        answers.push([kind, code === 'UNAUTHORIZED' || code === 'FORBIDDEN' ? code : 'yes']);
      }
      expect(Object.fromEntries(answers)).toEqual(whoMaySend(message.name));
    },
  );

  const unpublished = async (createdById: string) =>
    (await insertEvent(owner, { createdById, status: 'draft' })).id;

  it('gives managers of other events the same error for drafts and unknown ids', async () => {
    const { 'own organiser': own, 'other organiser': other, 'co-host': coHost } = callers;
    const draft = await unpublished(own!.sub);
    for (const eventId of [draft, UNKNOWN]) {
      expect(await getResultCode(MayManage, { eventId }, other)).toBe('EVENT_NOT_FOUND');
      expect(await getResultCode(MayManage, { eventId }, coHost)).toBe('EVENT_NOT_FOUND');
      expect(await getResultCode(MayManage, { eventId }, member)).toBe('FORBIDDEN');
    }
    expect(await getResultCode(MayManage, { eventId: draft }, own)).toBe('ok');
    expect(await getResultCode(MayManage, { eventId: managed }, other)).toBe('FORBIDDEN');
  });

  it('refuses management by former organisers and by co-hosts who have not agreed', async () => {
    const { id } = await insertUser(owner, { isOrganiser: true });
    const organiser = { ...member, sub: id, isOrganiser: true };
    const eventId = await unpublished(id);
    expect(await getResultCode(MayManage, { eventId }, organiser)).toBe('ok');
    await updateRow(owner, 'auth.users', id, { isOrganiser: false });
    expect(await getResultCode(MayManage, { eventId }, organiser)).toBe('FORBIDDEN');
    const coHost = { ...member, sub: (await insertUser(owner)).id };
    for (const { sub } of [organiser, coHost])
      await owner.query(
        `INSERT INTO events.event_people (event_id, role, position, user_id, agreed_at, manages)
         VALUES ($1, 'host', 0, $2, now(), true)`,
        [eventId, sub],
      );
    expect(await getResultCode(MayManage, { eventId }, coHost)).toBe('FORBIDDEN');
    await owner.query('UPDATE events.event_people SET manages_agreed_at = now() WHERE event_id = $1', [
      eventId,
    ]);
    expect(await getResultCode(MayManage, { eventId }, coHost)).toBe('ok');
    // a creator who is no longer an organiser can't manage the event as a co-host either
    expect(await getResultCode(MayManage, { eventId }, organiser)).not.toBe('ok');
    await owner.query('DELETE FROM events.event_people WHERE event_id = $1', [eventId]);
    expect(await getResultCode(MayManage, { eventId }, coHost)).toBe('FORBIDDEN');
  });

  it('names the invalid field when it rejects a new or changed event, and stores nothing', async () => {
    const stored = async () => (await owner.query<object>('SELECT * FROM events.events ORDER BY id')).rows;
    const before = await stored();
    const wrong = form({ agenda: [{ startsAt: '2031-05-01T17:00:00Z', title: 'x'.repeat(151) }] });
    const change = { ...wrong, eventId: managed };
    for (const [message, request] of [[CreateEvent, wrong] as const, [UpdateEvent, change] as const])
      await expect(caller.rpc.call(message as Message, request, { identity: admin })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { fields: { 'agenda[0].title': [expect.stringContaining('at most 150')] } },
      });
    expect(await stored()).toEqual(before);
  });

  it('shows a registration only to the registered member', async () => {
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

  it('reports every first registration as created, with several replicas', async () => {
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
