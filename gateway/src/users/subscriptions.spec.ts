import {
  ConfirmSubscription,
  FindVisitorList,
  RequestSubscription,
  SetVisitorList,
} from '@meetmark/contracts';
import { signConfirmation, signUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';

const ID = '0197f000-0000-7000-8000-000000000001';
const sent: object[] = [];
let stack: TestGateway;

beforeAll(async () => {
  stack = await openTestGateway({
    events: scenes(
      played(RequestSubscription, (request) => void sent.push(request)),
      played(ConfirmSubscription, (request) => void sent.push(request)),
      played(FindVisitorList, () => ({ subscribed: true })),
      played(SetVisitorList, (request) => void sent.push(request)),
    ),
  });
});
beforeEach(() => sent.splice(0));
afterAll(() => stack.close());

describe('signing up for mails with an address alone', () => {
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
