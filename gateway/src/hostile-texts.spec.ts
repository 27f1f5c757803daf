import { listMessages, type RequestClass, SERVICES } from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { ApiClient } from '@meetmark/testing/http-client';
import { dearerBy, HOSTILE_TEXTS, hostileText, ordinaryText } from '@meetmark/testing/hostile-texts';
import type { OpenAPIObject } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { bodyClasses } from './http/fields.js';
import { propertySchemas } from './openapi/request-schema.js';
import { gatewayForTests } from './testing/open-test-gateway.js';

/** Bytes of the longest text in a field of a body (`BODY`) and in a URL or header (`ADDRESS`). */
const BODY = 62_000;
const ADDRESS = 14_000;
const MORE = 100;
/** Each place gets one of this many parts of the texts. */
const PARTS = 7;

const stack = gatewayForTests();
let browser: ApiClient;
beforeAll(() => {
  // `stack.browser` would compare each response with the API description, which takes time.
  browser = new ApiClient(stack.url, {});
});

type Operation = Record<string, { parameters?: { in: string; name: string }[] } | undefined>;

const ID = '0197f000-0000-7000-8000-000000000000';

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
  it('processes hostile text as fast as ordinary text in URLs of public calls', async () => {
    const { paths } = (await browser.get<OpenAPIObject>('/api/openapi.json')).body;
    const places = publicCalls()
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path }) => {
        const described = paths[path.replaceAll(/:(\w+)/g, '{$1}')] as Operation | undefined;
        const parameters = (described?.get?.parameters ?? []).filter((each) => each.in === 'query');
        const url = path.replaceAll(/:\w+/g, ID).replace('*', '');
        const urls = ['q', ...parameters.map(({ name }) => name)].map((name) => `${url}?${name}=…`);
        if (/[:*]/.test(path)) urls.push(path.replace(/:\w+|\*/, '…').replaceAll(/:\w+/g, ID));
        return urls.map((name): Place => {
          const encode = (text: string) => encodeURIComponent(text.slice(0, ADDRESS / 9));
          return { name, send: (text) => browser.get(name.replace('…', () => encode(text))) };
        });
      });
    expect(places.length).toBeGreaterThan(15);
    expect(await findSlow(places, ADDRESS, share)).toEqual([]);
  });

  it('processes hostile text as fast as ordinary text in headers', async () => {
    const headers = [
      ...['cookie', 'user-agent', 'authorization', 'accept', 'accept-language', 'accept-encoding'],
      ...['if-none-match', 'if-match', 'idempotency-key', 'x-forwarded-for', 'x-forwarded-host'],
      ...['traceparent', 'referer', 'origin', 'sec-fetch-site'],
    ];
    const account = { email: 'ada@example.org', password: 'correct horse' };
    const login = (given: Record<string, string>) => browser.post('/api/login', account, given);
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
      ...SERVICES.flatMap((service) => listMessages(service).map(({ request }) => request)),
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
