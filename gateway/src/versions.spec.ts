import { randomUUID } from 'node:crypto';
import {
  type ErrorBody,
  type EventPage,
  GetEvent,
  IfGiven,
  IsEmailAddress,
  type Message,
  type RequestClass,
  RequestCode,
  RequestCodeRequest,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { ApiDocument } from './openapi/api-document.js';
import { gatewayForTests } from './testing/open-test-gateway.js';

const EMAIL = 'ada@example.org';

class OlderAsker {
  @IsString()
  browser!: string;
}

class OlderRequest {
  @IsEmailAddress()
  email!: string;

  @ValidateNested()
  @Type(() => OlderAsker)
  asker!: OlderAsker;
}

class NewerRequest extends RequestCodeRequest {
  @IfGiven()
  @IsString()
  reason?: string;
}

function gatewayNextTo(request: RequestClass, event: EventPage) {
  const received: object[] = [];
  const requestCode = { ...RequestCode, request } as Message;
  const stack = gatewayForTests({
    auth: scenes(played(requestCode, (given) => void received.push(given))),
    events: scenes(played(GetEvent, () => event)),
  });
  return { stack, received };
}

describe('a gateway next to services of the previous version', () => {
  const event = anEventPage();
  for (const field of ['html', 'announcement', 'publicAttendees', 'gallery'] as const) delete event[field];
  const { stack, received } = gatewayNextTo(OlderRequest, event);

  it('sends new top-level and nested fields, which older services ignore', async () => {
    const { status } = await stack.browser().post('/api/sign-in-code', { email: EMAIL });
    expect([status, received]).toEqual([202, [{ email: EMAIL, asker: { browser: expect.any(String) } }]]);
  });

  it('shows an event without optional fields that older services omit', async () => {
    const path = `/api/events/${event.id}`;
    expect(await stack.browser().get(path)).toMatchObject({ status: 200, body: event });
    const { browser } = await stack.signedIn();
    expect(await browser.get(path)).toMatchObject({ status: 200, body: event });
  });
});

describe('a gateway next to services of the next version', () => {
  const event = Object.assign(anEventPage(), { mood: 'cheerful' });
  const { stack, received } = gatewayNextTo(NewerRequest, event);

  it('sends requests that newer services accept without their new optional fields', async () => {
    const { status } = await stack.browser().post('/api/sign-in-code', { email: EMAIL });
    expect([status, received]).toMatchObject([202, [{ email: EMAIL, purpose: 'sign-in' }]]);
  });

  it('accepts new fields in the responses of newer services', async () => {
    const { id, title } = event;
    expect(await stack.browser().get(`/api/events/${id}`)).toMatchObject({ status: 200, body: { title } });
    const { browser, user } = await stack.signedIn();
    Object.assign(stack.users.get(user.id)!, { mood: 'cheerful' });
    expect(await browser.get('/api/user')).toMatchObject({ status: 200, body: { id: user.id } });
  });
});

describe('request bodies with an unknown field', () => {
  const { stack } = gatewayNextTo(RequestCodeRequest, anEventPage());

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
});
