import {
  AccountDeleted,
  DomainError,
  RemoveAccount,
  SummariseAccounts,
  SummariseEvents,
  type Summary,
  ConfirmSubscription,
  FindVisitorList,
  RequestSubscription,
  SetVisitorList,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import type { ApiClient } from '@meetmark/testing/http-client';
import { signConfirmation, signUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { gatewayForTests } from '../testing/open-test-gateway.js';

describe('users and figures', () => {
  const ID = '0197f000-0000-7000-8000-000000000001';
  /** What services were asked, in order. */
  const asked: string[] = [];
  /** What auth and events refuse next. */
  const refusals: DomainError[] = [];
  const deafness: DomainError[] = [];
  let browser: ApiClient;

  /** Notes that it is asked, and refuses while there is something to refuse with. */
  const noting = (name: string, errors: DomainError[]) => {
    asked.push(name);
    const refusal = errors.shift();
    if (refusal) throw refusal;
  };
  const stack = gatewayForTests({
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
  beforeEach(() => {
    for (const list of [asked, refusals, deafness]) list.length = 0;
  });

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
});

describe('signing up for mails with an address alone', () => {
  const ID = '0197f000-0000-7000-8000-000000000001';
  const sent: object[] = [];
  const stack = gatewayForTests({
    events: scenes(
      played(RequestSubscription, (request) => void sent.push(request)),
      played(ConfirmSubscription, (request) => void sent.push(request)),
      played(FindVisitorList, () => ({ subscribed: true })),
      played(SetVisitorList, (request) => void sent.push(request)),
    ),
  });
  beforeEach(() => sent.splice(0));

  it('answers 202 and sends the address on in its one form', async () => {
    const reply = await stack
      .browser()
      .post('/api/subscriptions', { email: ' Vera@Example.org ', digest: true });
    expect([reply.status, reply.body]).toEqual([
      202,
      { message: 'A mail with a link to confirm is on its way' },
    ]);
    expect(sent).toEqual([{ email: 'vera@example.org', digest: true }]);
  });

  it('says which language somebody chose for the pages of the browser, if it is one', async () => {
    for (const locale of ['de', 'pt']) {
      const browser = stack.browser();
      browser.cookies.set('locale', locale);
      await browser.post('/api/subscriptions', { email: 'vera@example.org', digest: true });
    }
    const wish = { email: 'vera@example.org', digest: true };
    expect(sent).toEqual([{ ...wish, locale: 'de' }, wish]);
  });

  it.each([
    {},
    { email: 'nobody' },
    { email: 'a@b.co', topics: 'all' },
    { email: 'a@b.co', digest: 1 },
    { email: 'a@b.co', digest: true, locale: 'de' },
  ])('refuses %j', async (body) => {
    expect((await stack.browser().post('/api/subscriptions', body)).status).toBe(400);
    expect(sent).toEqual([]);
  });

  it('is confirmed by our own link alone, and not by one that stops mails', async () => {
    const { linkSecrets } = stack.config;
    const confirm = async (token: string) =>
      (await stack.browser().post('/api/subscriptions/confirm', { token })).status;
    const token = signConfirmation(ID, linkSecrets);
    const foreign = [
      signConfirmation(ID, ['another secret']),
      token.replace(ID, ID.replace(/1$/, '2')),
      signUnsubscribe({ subscriptionId: ID, list: 'digest' }, linkSecrets),
      '',
    ];
    expect(await Promise.all(foreign.map(confirm))).toEqual([404, 404, 404, 404]);
    expect(sent).toEqual([]);
    expect(await confirm(token)).toBe(200);
    expect(sent).toEqual([{ requestId: ID }]);
  });

  it('is stopped by one click, list by list, and taken back', async () => {
    const target = { subscriptionId: ID, list: 'digest' as const };
    const path = `/api/unsubscribe/${signUnsubscribe(target, stack.config.linkSecrets)}`;
    const { body } = await stack.browser().get(`${path}/list`);
    expect(body).toEqual({ list: 'digest', subscribed: true });
    for (const action of ['', '/undo'])
      expect((await stack.browser().post(`${path}${action}`)).status).toBe(200);
    expect(sent).toEqual([
      { ...target, subscribed: false },
      { ...target, subscribed: true },
    ]);
    const other = signUnsubscribe({ ...target, list: 'reminders' }, stack.config.linkSecrets);
    expect((await stack.browser().post(`/api/unsubscribe/${other}`)).status).toBe(404);
  });
});
