import {
  DomainError,
  GetSetupState,
  type Message,
  listMessages,
  type RequestClass,
} from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { played, type Played } from '@meetmark/platform/testing/play-services';
import { type ApiClient } from '@meetmark/testing/http-client';
import { dearerBy, HOSTILE_TEXTS, hostileText, ordinaryText } from '@meetmark/testing/hostile-texts';
import type { OpenAPIObject } from '@nestjs/swagger';
import { bodyClasses } from './http/fields.js';
import { propertySchemas } from './openapi/request-schema.js';
import { gatewayForTests } from './testing/open-test-gateway.js';

/** Bytes of the longest text in a body (`BODY`) and in a URL with parameters (`ADDRESS`). */
const BODY = 62_000;
const ADDRESS = 14_000;
const MORE = 100;
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

const VALID_SIGN_IN = { email: VALID.email, password: VALID.password };

/** Returns each hostile text with its name. In email addresses and URLs, the text is the host name. */
const texts = (bytes: number, format?: unknown) => {
  const before = format === 'email' ? 'a@' : format === 'uri' ? 'https://' : '';
  return HOSTILE_TEXTS.map((name) => [name, before + hostileText(name, bytes)] as const);
};

/**
 * Returns the texts for one field of a call, so that all fields together get every text. The last test checks
 * every text in every field.
 */
function getShare<T>(all: T[], place: number, places: number): T[] {
  const share = all.filter((_, n) => n % places === place);
  return share.length > 0 ? share : [all[place % all.length]!];
}

async function dearer(
  ordinary: () => unknown,
  hostile: (readonly [string, () => unknown])[],
): Promise<string[]> {
  await ordinary();
  const found: string[] = [];
  for (const [name, work] of hostile) {
    const more = await dearerBy(MORE, ordinary, work);
    if (more > MORE) found.push(`${name}: ${Math.round(more)} ms more`);
  }
  return found;
}

describe('hostile text', () => {
  it('processes hostile text as fast as ordinary text in public request bodies', async () => {
    const described = await schemas();
    const calls = stack.gateway.inventory.routes.filter(
      ({ access, method }) => access === 'public' && !['GET', 'HEAD'].includes(method),
    );
    expect(calls.length).toBeGreaterThan(15);
    const found: string[] = [];
    for (const { method, path } of calls) {
      const { fields } = described(path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase());
      const address = path.replaceAll(/:\w+/g, ID);
      const given = Object.fromEntries(fields.map(([name]) => [name, VALID[name]]));
      const send = (body: object) => () => browser.send(method, address, body);
      for (const [place, [field, { format }]] of (fields as [string, { format?: string }][]).entries())
        found.push(
          ...(await dearer(
            send({ ...given, [field]: ordinaryText(BODY) }),
            getShare(texts(BODY - 10, format), place, fields.length).map(
              ([name, text]) =>
                [`${method} ${path} ${field}: ${name}`, send({ ...given, [field]: fitted(text) })] as const,
            ),
          )),
        );
    }
    expect(found).toEqual([]);
  });

  it('processes hostile text as fast as ordinary text in URLs of public calls', async () => {
    const described = await schemas();
    const calls = stack.gateway.inventory.routes.filter(
      ({ access, method }) => access === 'public' && method === 'GET',
    );
    const found: string[] = [];
    for (const { method, path } of calls) {
      const { parameters } = described(path.replaceAll(/:(\w+)/g, '{$1}'), 'get');
      const places = [
        ...(/[:*]/.test(path)
          ? [(text: string) => path.replace(/:\w+|\*/, text).replaceAll(/:\w+/g, ID)]
          : []),
        ...[...parameters, 'q'].map(
          (name) => (text: string) => `${path.replaceAll(/:\w+/g, ID).replace('*', '')}?${name}=${text}`,
        ),
      ];
      for (const [at, place] of places.entries())
        found.push(
          ...(await dearer(
            () => browser.get(place(ordinaryText(ADDRESS))),
            getShare(texts(ADDRESS), at, places.length).flatMap(([name, text]) => {
              const encoded = encodeURIComponent(text.slice(0, ADDRESS / 9));
              return [[`${method} ${place('…')}: ${name}`, () => browser.get(place(encoded))] as const];
            }),
          )),
        );
    }
    expect(found).toEqual([]);
  });

  it('processes hostile text as fast as ordinary text in headers', async () => {
    const names = [
      'cookie',
      'user-agent',
      'authorization',
      'accept',
      'accept-language',
      'accept-encoding',
      'if-none-match',
      'if-match',
    ];
    const more = [
      'idempotency-key',
      'x-forwarded-for',
      'x-forwarded-host',
      'traceparent',
      'referer',
      'origin',
      'sec-fetch-site',
    ];
    const printable = texts(ADDRESS).filter(([, text]) => /^[!-~][ -~]*[!-~]$/.test(text));
    const login = (headers: Record<string, string>) => browser.post('/api/login', VALID_SIGN_IN, headers);
    const calls = {
      login,
      page: (headers: Record<string, string>) => browser.get('/', headers),
      door: (headers: Record<string, string>) => browser.get('/api/door', headers),
    };
    const found: string[] = [];
    const headers = [...names, ...more];
    for (const [call, ask] of Object.entries(calls))
      for (const [place, header] of headers.entries())
        found.push(
          ...(await dearer(
            () => ask({ [header]: ordinaryText(ADDRESS) }),
            getShare(printable, place, headers.length).map(
              ([name, text]) => [`${call} ${header}: ${name}`, () => ask({ [header]: text })] as const,
            ),
          )),
        );
    expect(found).toEqual([]);
  });

  it('validates hostile text as fast as ordinary text in all messages and bodies', async () => {
    const classes = new Set<RequestClass>([
      ...(['auth', 'events', 'admin'] as const).flatMap((service) =>
        listMessages(service).map(({ request }) => request),
      ),
      ...bodyClasses(),
    ]);
    const found: string[] = [];
    for (const type of classes)
      for (const [field, { schema }] of propertySchemas(type)) {
        const judged = (text: string) => () =>
          validated(type, { [field]: text }).then(
            () => undefined,
            () => undefined,
          );
        found.push(
          ...(await dearer(
            judged(ordinaryText(BODY)),
            texts(BODY, schema.format).map(
              ([name, text]) => [`${type.name}.${field}: ${name}`, judged(text)] as const,
            ),
          )),
        );
      }
    expect(found).toEqual([]);
  });
});

function fitted(text: string): string {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  return bytes <= BODY ? text : text.slice(0, Math.floor((text.length * BODY) / bytes));
}
