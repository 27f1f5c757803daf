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
import { codes } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { updateRow } from '@meetmark/testing/factories/users';
import { eventForm, openEvents, persistently, type TestEvents, UNKNOWN } from './testing/open-events.js';

const REPLICAS = 2;

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
    [member, admin] = [await events.person(), await events.administrator()];
    callers = {
      ...{ visitor: null, member, owner: admin, 'co-host': await events.person() },
      'other organiser': await events.person({ isOrganiser: true }),
      'own organiser': await events.person({ isOrganiser: true }),
    };
    managed = await insertManaged();
  });
  afterAll(async () => {
    caller.close();
    await events.close();
  });

  const insertManaged = async () => {
    const { id } = await insertEvent(owner, { createdById: callers['own organiser']!.sub });
    await events.addCoHost(id, callers['co-host']!.sub);
    return id;
  };

  const getResultCode = async (message: Message, request: object, identity: Identity | null) =>
    (await codes([caller.rpc.call(message, request, { identity })]))[0]!;
  const named = (messages: Message[]) => messages.map((message) => [message.name, message] as const);

  it.each(named(listMessages('events').filter(({ access }) => MAY[access].member === 'FORBIDDEN')))(
    'rejects %s if the account lacks the role of the token or the second factor',
    async (_, message) => {
      // without the required second factor, the gateway gives an owner only the rights of a member
      for (const identity of [
        { ...member, isAdmin: true },
        { ...member, isOrganiser: true },
        { ...admin, isAdmin: false },
      ])
        expect(await getResultCode(message, { eventId: managed }, identity)).toBe('FORBIDDEN');
    },
  );

  it.each(named(listMessages('events')))(
    'accepts %s from exactly the roles in the access table',
    async (_, message) => {
      const answers: [string, string][] = [];
      for (const kind of CALLERS) {
        // each caller gets a new event, because some messages change the event
        const eventId = message.access === 'manager' ? await insertManaged() : managed;
        const code = await getResultCode(message, { eventId }, callers[kind]);
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
    const organiser = await events.person({ isOrganiser: true });
    const eventId = await unpublished(organiser.sub);
    expect(await getResultCode(MayManage, { eventId }, organiser)).toBe('ok');
    await updateRow(owner, 'auth.users', organiser.sub, { isOrganiser: false });
    expect(await getResultCode(MayManage, { eventId }, organiser)).toBe('FORBIDDEN');
    const coHost = await events.person();
    for (const [position, { sub }] of [organiser, coHost].entries())
      await events.addCoHost(eventId, sub, position);
    const agree = (at: Date | null) =>
      owner.query('UPDATE events.event_people SET manages_agreed_at = $2 WHERE event_id = $1', [eventId, at]);
    await agree(null);
    expect(await getResultCode(MayManage, { eventId }, coHost)).toBe('FORBIDDEN');
    await agree(new Date());
    expect(await getResultCode(MayManage, { eventId }, coHost)).toBe('ok');
    // a creator who is no longer an organiser can't manage the event as a co-host either
    expect(await getResultCode(MayManage, { eventId }, organiser)).not.toBe('ok');
    await owner.query('DELETE FROM events.event_people WHERE event_id = $1', [eventId]);
    expect(await getResultCode(MayManage, { eventId }, coHost)).toBe('FORBIDDEN');
  });

  it('names the invalid field when it rejects a new or changed event, and stores nothing', async () => {
    const stored = () => events.rows('SELECT * FROM events.events ORDER BY id');
    const before = await stored();
    const agenda = [{ startsAt: '2031-05-01T17:00:00Z', endsAt: null, title: 'x'.repeat(151), note: null }];
    const wrong = eventForm({ agenda });
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
    const members = await events.members(50);
    const answers = await Promise.all(
      members.map((sub) =>
        persistently(() => caller.rpc.call(Register, { eventId }, { identity: { ...member, sub } })),
      ),
    );
    expect(answers.filter((answer) => !answer.created)).toEqual([]);
    expect(await caller.rpc.call(CountRegistrations, { eventId })).toEqual({ count: 50 });
  });
});
