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

describe('the admin API', () => {
  const ID = '0197f000-0000-7000-8000-000000000001';
  const asked: string[] = [];
  const refusals: DomainError[] = [];
  const deafness: DomainError[] = [];
  let browser: ApiClient;

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

  describe('DELETE /api/admin/users/:id', () => {
    let administrator: string;
    beforeAll(async () => {
      const signedIn = await stack.signedIn({ isAdmin: true });
      browser = signedIn.browser;
      administrator = signedIn.user.id;
    });
    const remove = async () => (await browser.delete(`/api/admin/users/${ID}`)).status;
    const removed = () => `remove ${ID} as ${administrator}`;
    const told = () => `tell as ${administrator}`;

    it('deletes an account and then notifies the events service', async () => {
      expect(await remove()).toBe(204);
      expect(asked).toEqual([removed(), told()]);
    });

    it('deletes an account even when the events service cannot be notified', async () => {
      deafness.push(new DomainError('SERVICE_UNAVAILABLE'));
      expect(await remove()).toBe(204);
      expect(asked).toEqual([removed(), told()]);
    });

    it('notifies the events service even when the deletion times out', async () => {
      refusals.push(new DomainError('DEADLINE_EXCEEDED'));
      expect(await remove()).toBe(503);
      expect(asked).toEqual([removed(), told()]);
    });

    it.each(['USER_NOT_FOUND', 'OWN_ACCOUNT', 'LAST_ADMINISTRATOR'] as const)(
      'fails with %s without notifying the events service',
      async (code) => {
        refusals.push(new DomainError(code));
        const { body } = await browser.delete<{ code: string }>(`/api/admin/users/${ID}`);
        expect(body.code).toBe(code);
        expect(asked).toEqual([removed()]);
      },
    );
  });

  describe('GET /api/admin/summary', () => {
    it('combines the figures from auth and events in a fixed order', async () => {
      const reply = await browser.get<Summary>('/api/admin/summary');
      expect(reply.text).toBe(
        '{"totalEvents":24,"eventsThisMonth":6,"upcomingEvents":9,"nextEvents":[],"totalUsers":40,"newUsers":4}',
      );
      expect(asked.toSorted()).toEqual(['accounts', 'events']);
    });

    it('retries only the service that was unavailable', async () => {
      deafness.push(new DomainError('SERVICE_UNAVAILABLE'));
      expect((await browser.get('/api/admin/summary')).status).toBe(200);
      expect(asked.toSorted()).toEqual(['accounts', 'events', 'events']);
    });

    it('returns 503 while either auth or events is unavailable', async () => {
      deafness.push(new DomainError('SERVICE_UNAVAILABLE'), new DomainError('SERVICE_UNAVAILABLE'));
      expect((await browser.get('/api/admin/summary')).status).toBe(503);
    });
  });
});

describe('email subscriptions without an account', () => {
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

  it('requests a subscription with the normalised email address', async () => {
    const reply = await stack
      .browser()
      .post('/api/subscriptions', { email: ' Vera@Example.org ', digest: true });
    expect([reply.status, reply.body]).toEqual([
      202,
      { message: 'An email with a confirmation link is on its way' },
    ]);
    expect(sent).toEqual([{ email: 'vera@example.org', digest: true }]);
  });

  it('takes the subscription language from the locale cookie if it is supported', async () => {
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
  ])('rejects a subscription request with the body %j', async (body) => {
    expect((await stack.browser().post('/api/subscriptions', body)).status).toBe(400);
    expect(sent).toEqual([]);
  });

  it('confirms a subscription only with a valid confirmation link', async () => {
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

  it('stops and resumes a subscription with a valid unsubscribe link', async () => {
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
