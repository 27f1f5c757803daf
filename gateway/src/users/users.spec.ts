import {
  AccountDeleted,
  DomainError,
  RemoveAccount,
  SummariseAccounts,
  SummariseEvents,
  type Summary,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import type { ApiClient } from '@meetmark/testing/http-client';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';

const ID = '0197f000-0000-7000-8000-000000000001';
/** What services were asked, in order. */
const asked: string[] = [];
/** What auth and events refuse next. */
const refusals: DomainError[] = [];
const deafness: DomainError[] = [];
let stack: TestGateway;
let browser: ApiClient;

/** Notes that it is asked, and refuses while there is something to refuse with. */
const noting = (name: string, errors: DomainError[]) => {
  asked.push(name);
  const refusal = errors.shift();
  if (refusal) throw refusal;
};

beforeAll(async () => {
  stack = await openTestGateway({
    auth: scenes(
      played(RemoveAccount, ({ userId }, { identity }) =>
        noting(`remove ${userId} as ${identity?.sub}`, refusals),
      ),
      played(SummariseAccounts, () => {
        noting('accounts', refusals);
        return { total: 40, createdLast30Days: 4 };
      }),
    ),
    events: scenes(
      played(AccountDeleted, (_, { identity }) => noting(`tell as ${identity?.sub}`, deafness)),
      played(SummariseEvents, () => {
        noting('events', deafness);
        return { total: 24, createdLast30Days: 6, upcoming: 9, nextEvents: [] };
      }),
    ),
  });
});
beforeEach(() => {
  for (const list of [asked, refusals, deafness]) list.length = 0;
});
afterAll(() => stack.close());

describe('the deletion of a user', () => {
  let administrator: string;
  beforeAll(async () => {
    const signedIn = await stack.signedIn({ isAdmin: true });
    browser = signedIn.browser;
    administrator = signedIn.user.id;
  });
  const remove = async () => (await browser.delete(`/api/admin/users/${ID}`)).status;
  const removed = () => `remove ${ID} as ${administrator}`;
  const told = () => `tell as ${administrator}`;

  it('is one message to auth, after which events is told before the answer', async () => {
    expect(await remove()).toBe(204);
    expect(asked).toEqual([removed(), told()]);
  });

  it('is answered as done even if events could not be told, which the worker repeats', async () => {
    deafness.push(new DomainError('SERVICE_UNAVAILABLE'));
    expect(await remove()).toBe(204);
    expect(asked).toEqual([removed(), told()]);
  });

  it('is told of when only its answer may have been lost', async () => {
    refusals.push(new DomainError('DEADLINE_EXCEEDED'));
    expect(await remove()).toBe(503);
    expect(asked).toEqual([removed(), told()]);
  });

  it.each(['USER_NOT_FOUND', 'OWN_ACCOUNT', 'LAST_ADMINISTRATOR'] as const)(
    'is refused with %s, and told of to nobody',
    async (code) => {
      refusals.push(new DomainError(code));
      const { body } = await browser.delete<{ code: string }>(`/api/admin/users/${ID}`);
      expect(body.code).toBe(code);
      expect(asked).toEqual([removed()]);
    },
  );
});

describe('the figures of the dashboard', () => {
  it('are put together of what auth and events say, in the order that they always had', async () => {
    const reply = await browser.get<Summary>('/api/admin/summary');
    expect(reply.text).toBe(
      '{"totalEvents":24,"eventsThisMonth":6,"upcomingEvents":9,"nextEvents":[],"totalUsers":40,"newUsers":4}',
    );
    expect(asked.toSorted()).toEqual(['accounts', 'events']);
  });

  it('are asked for once more where a service had no database, and only there', async () => {
    deafness.push(new DomainError('SERVICE_UNAVAILABLE'));
    expect((await browser.get('/api/admin/summary')).status).toBe(200);
    expect(asked.toSorted()).toEqual(['accounts', 'events', 'events']);
  });

  it('are refused as a whole while one of the two is away', async () => {
    deafness.push(new DomainError('SERVICE_UNAVAILABLE'), new DomainError('SERVICE_UNAVAILABLE'));
    expect((await browser.get('/api/admin/summary')).status).toBe(503);
  });
});
