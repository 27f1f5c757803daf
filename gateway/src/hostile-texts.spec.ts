import {
  DomainError,
  GetSetupState,
  type Message,
  listMessages,
  type RequestClass,
} from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { played, type Played } from '@meetmark/platform/testing/play-services';
import type { ApiClient } from '@meetmark/testing/http-client';
import { dearerBy, HOSTILE_TEXTS, hostileText, ordinaryText } from '@meetmark/testing/hostile-texts';
import type { OpenAPIObject } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { bodyClasses } from './http/fields.js';
import { propertySchemas } from './openapi/request-schema.js';
import { gatewayForTests } from './testing/open-test-gateway.js';

/** Bytes of the longest text in a body (`BODY`) and in a URL with parameters (`ADDRESS`). */
const BODY = 62_000;
const ADDRESS = 14_000;
const MORE = 100;
/** Each place gets one of this many parts of the texts. */
const PARTS = 7;
const ACCOUNTS = ['users.getSessionUser', 'users.signIn', 'users.signUp', 'users.changePassword'];

/**
 * Fake handlers of a service's messages. They verify and validate each request like the service, then refuse
 * it.
 */
const refused = (service: Message['service']): Played[] =>
  listMessages(service)
    .filter(({ name }) => !ACCOUNTS.includes(name) && name !== GetSetupState.name)
    .map((message) =>
      played(message, () => {
        throw new DomainError('EVENT_NOT_FOUND');
      }),
    );
let browser: ApiClient;
const stack = gatewayForTests({
  config: { trustedProxies: 1 },
  auth: refused('auth'),
  events: refused('events'),
  admin: refused('admin'),
});
beforeAll(() => {
  browser = stack.browser();
  // Disables the comparison with the API description, because most calls don't document the fake error.
  browser.onAnswer = undefined;
});

const schemas = async () => {
  const document = (await browser.get<OpenAPIObject>('/api/openapi.json')).body;
  return (path: string, method: string) => {
    const operation = (document.paths as Record<string, Record<string, Operation>>)[path]?.[method];
    const body = operation?.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1);
    const fields = body === undefined ? {} : document.components!.schemas![body];
    return {
      fields: Object.entries(
        (fields as { properties?: Record<string, { format?: string }> }).properties ?? { text: {} },
      ),
      parameters: (operation?.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
    };
  };
};
interface Operation {
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
  parameters?: { in: string; name: string }[];
}

const ID = '0197f000-0000-7000-8000-000000000000';
const SECRET = 'x'.repeat(22);
const VALID: Record<string, unknown> = {
  email: 'ada@example.org',
  password: 'correct horse',
  newPassword: 'correct horse',
  firstName: 'Ada',
  lastName: 'Lovelace',
  name: 'Ada',
  purpose: 'verify',
  code: '123456',
  flow: SECRET,
  token: SECRET,
  key: ID,
  at: '2026-11-21T09:00:00Z',
  sentAt: '2026-11-21T09:00:00Z',
  items: [],
};

type Texts = (readonly [name: string, text: string])[];

/** Returns each hostile text with its name. In email addresses and URLs, the text is the host name. */
function makeTexts(bytes: number, format?: unknown): Texts {
  const before = format === 'email' ? 'a@' : format === 'uri' ? 'https://' : '';
  return HOSTILE_TEXTS.map((name) => [name, before + hostileText(name, bytes)] as const);
}

interface Place {
  name: string;
  format?: unknown;
  send(text: string): unknown;
}

/** Returns the places that take much longer to process a hostile text than an ordinary text. */
async function findSlow(places: Place[], bytes: number, choose: (all: Texts, place: number) => Texts) {
  const ordinary = ordinaryText(bytes);
  const found: string[] = [];
  for (const [at, { name, format, send }] of places.entries()) {
    await send(ordinary);
    for (const [kind, text] of choose(makeTexts(bytes, format), at)) {
      const more = await dearerBy(
        MORE,
        () => send(ordinary),
        () => send(text),
      );
      if (more > MORE) found.push(`${name}: ${kind}: ${Math.round(more)} ms more`);
    }
  }
  return found;
}

/** Gives each place other texts, because the last test checks every text. */
const share = (all: Texts, place: number) => all.filter((_, n) => n % PARTS === place % PARTS);

const publicCalls = () => stack.gateway.inventory.routes.filter(({ access }) => access === 'public');

describe('hostile text', () => {
  it('processes hostile text as fast as ordinary text in public request bodies', async () => {
    const getFields = await schemas();
    const places = publicCalls()
      .filter(({ method }) => !['GET', 'HEAD'].includes(method))
      .flatMap(({ method, path }) => {
        const { fields } = getFields(path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase());
        const url = path.replaceAll(/:\w+/g, ID);
        const given = Object.fromEntries(fields.map(([name]) => [name, VALID[name]]));
        return fields.map(([field, { format }]): Place => {
          const send = (text: string) => browser.send(method, url, { ...given, [field]: fit(text) });
          return { name: `${method} ${path} ${field}`, format, send };
        });
      });
    expect(places.length).toBeGreaterThan(15);
    expect(await findSlow(places, BODY, share)).toEqual([]);
  });

  it('processes hostile text as fast as ordinary text in URLs of public calls', async () => {
    const getFields = await schemas();
    const places = publicCalls()
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path }) => {
        const { parameters } = getFields(path.replaceAll(/:(\w+)/g, '{$1}'), 'get');
        const url = path.replaceAll(/:\w+/g, ID).replace('*', '');
        const urls = [...parameters, 'q'].map((name) => `${url}?${name}=…`);
        if (/[:*]/.test(path)) urls.push(path.replace(/:\w+|\*/, '…').replaceAll(/:\w+/g, ID));
        return urls.map((name): Place => {
          const encode = (text: string) => encodeURIComponent(text.slice(0, ADDRESS / 9));
          return { name, send: (text) => browser.get(name.replace('…', () => encode(text))) };
        });
      });
    expect(await findSlow(places, ADDRESS, share)).toEqual([]);
  });

  it('processes hostile text as fast as ordinary text in headers', async () => {
    const headers = [
      ...['cookie', 'user-agent', 'authorization', 'accept', 'accept-language', 'accept-encoding'],
      ...['if-none-match', 'if-match', 'idempotency-key', 'x-forwarded-for', 'x-forwarded-host'],
      ...['traceparent', 'referer', 'origin', 'sec-fetch-site'],
    ];
    const { email, password } = VALID;
    const login = (given: Record<string, string>) => browser.post('/api/login', { email, password }, given);
    const calls = {
      login,
      page: (given: Record<string, string>) => browser.get('/', given),
      door: (given: Record<string, string>) => browser.get('/api/door', given),
    };
    const places = headers.flatMap((header) =>
      Object.entries(calls).map(([call, ask]): Place => {
        return { name: `${call} ${header}`, send: (text) => ask({ [header]: text }) };
      }),
    );
    const printable = (all: Texts) => all.filter(([, text]) => /^[!-~][ -~]*[!-~]$/.test(text));
    expect(await findSlow(places, ADDRESS, (all, at) => share(printable(all), at))).toEqual([]);
  });

  it('validates hostile text as fast as ordinary text in all messages and bodies', async () => {
    const classes = new Set<RequestClass>([
      ...(['auth', 'events', 'admin'] as const).flatMap((service) =>
        listMessages(service).map(({ request }) => request),
      ),
      ...bodyClasses(),
    ]);
    /** One of the fields with each combination of rules. */
    const places = new Map<string, Place>();
    for (const type of classes)
      for (const [field, { schema }] of propertySchemas(type)) {
        const send = (text: string) => validated(type, { [field]: text }).catch(() => undefined);
        places.set(listRules(type, field), { name: `${type.name}.${field}`, format: schema.format, send });
      }
    expect(places.size).toBeGreaterThan(50);
    expect(await findSlow([...places.values()], BODY, (all) => all)).toEqual([]);
  });
});

const listRules = (type: RequestClass, field: string) =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .filter(({ propertyName }) => propertyName === field)
    .map(({ type: kind, name, constraints, each }) => `${kind} ${name} ${constraints} ${each}`)
    .toSorted()
    .join();

function fit(text: string): string {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  return bytes <= BODY ? text : text.slice(0, Math.floor((text.length * BODY) / bytes));
}
