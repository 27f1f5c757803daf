import { randomUUID } from 'node:crypto';
import { type ErrorBody, GetEvent, RequestCode } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { ApiDocument } from './openapi/api-document.js';
import { Services } from './services.js';
import { gatewayForTests } from './testing/open-test-gateway.js';

const received: object[] = [];
const [older, newer] = [anEventPage(), Object.assign(anEventPage(), { mood: 'cheerful' })];
for (const field of ['html', 'announcement', 'publicAttendees', 'gallery'] as const) delete older[field];

const stack = gatewayForTests({
  auth: scenes(played(RequestCode, (given) => void received.push(given))),
  events: scenes(played(GetEvent, ({ eventId }) => (eventId === newer.id ? newer : older))),
});
beforeEach(() => (received.length = 0));

describe('a gateway next to services of the previous version', () => {
  it('sends new top-level and nested fields, which older services ignore', async () => {
    const known = { email: 'ada@example.org', asker: { browser: 'b'.repeat(22), network: '192.0.2.0/24' } };
    const sent = { ...known, purpose: 'sign-in' as const };
    const extended = { ...sent, mood: 'cheerful', asker: { ...sent.asker, mood: 'cheerful' } };
    await stack.gateway.app.get(Services).call(RequestCode, extended);
    expect(received).toEqual([sent]);
  });

  it('shows an event without optional fields that older services omit', async () => {
    for (const browser of [stack.browser(), (await stack.signedIn()).browser])
      expect(await browser.get(`/api/events/${older.id}`)).toMatchObject({ status: 200, body: older });
  });
});

describe('a gateway next to services of the next version', () => {
  it('accepts new fields in the responses of newer services', async () => {
    const { id, title } = newer;
    expect(await stack.browser().get(`/api/events/${id}`)).toMatchObject({ status: 200, body: { title } });
    const { browser, user } = await stack.signedIn();
    Object.assign(stack.users.get(user.id)!, { mood: 'cheerful' });
    expect(await browser.get('/api/user')).toMatchObject({ status: 200, body: { id: user.id } });
  });
});

it('rejects an unknown field in the body of every endpoint', async () => {
  const { browser, user } = await stack.signedIn({ isAdmin: true });
  const calls = Object.entries(stack.gateway.app.get(ApiDocument).get().paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { requestBody?: object }>)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method]) => [method.toUpperCase(), path] as const),
  );
  const accepted: string[] = [];
  for (const [method, path] of calls) {
    const filled = path.replaceAll(/\{\w+\}/g, path.includes('/users/') ? user.id : randomUUID());
    const { status, body } = await browser.send<ErrorBody>(method, filled, { surplus: 1 });
    if (status !== 400 || !body.details?.fields?.surplus) accepted.push(`${status} ${method} ${path}`);
  }
  expect(accepted).toEqual([]);
  expect(calls.length).toBeGreaterThan(40);
});
