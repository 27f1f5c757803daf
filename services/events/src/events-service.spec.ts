import { MayManage, listMessages, type Identity, type Message } from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { CALLERS, type CallerKind, MAY, whoMaySend } from '@meetmark/testing/access';
import { codes } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { openEvents, type TestEvents, UNKNOWN } from './testing/open-events.js';

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
    await events.serve();
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

  it('gives managers of other events the same error for drafts and unknown ids', async () => {
    const { 'own organiser': own, 'other organiser': other, 'co-host': coHost } = callers;
    const { id: draft } = await insertEvent(owner, { createdById: own!.sub, status: 'draft' });
    for (const eventId of [draft, UNKNOWN]) {
      expect(await getResultCode(MayManage, { eventId }, other)).toBe('EVENT_NOT_FOUND');
      expect(await getResultCode(MayManage, { eventId }, coHost)).toBe('EVENT_NOT_FOUND');
      expect(await getResultCode(MayManage, { eventId }, member)).toBe('FORBIDDEN');
    }
    expect(await getResultCode(MayManage, { eventId: draft }, own)).toBe('ok');
    expect(await getResultCode(MayManage, { eventId: managed }, other)).toBe('FORBIDDEN');
  });

  it('validates a request and names the invalid field', async () => {
    const invalid = caller.rpc.call(MayManage, { eventId: '1' }, { identity: admin });
    await expect(invalid).rejects.toMatchObject({ details: { fields: { eventId: [expect.any(String)] } } });
  });
});
