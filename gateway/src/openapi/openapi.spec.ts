import { DomainError, ERRORS } from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { inTurns } from '@meetmark/testing';
import { anEvent } from '@meetmark/testing/factories/samples';
import { FRESH_CALLS } from '@meetmark/testing/fresh-calls';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ACCESS_TABLE } from '../testing/access-table.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import { ApiDocument } from './api-document.js';
import { bodyClasses } from '../http/fields.js';
import { requestSchema } from './request-schema.js';

const NOT_DESCRIBED =
  /^\/(api\/(openapi\.json|docs.*|login GET|logout GET)|sitemap\.xml|robots\.txt|manifest\.webmanifest|favicon\.svg|icons\/:file|e\/:slug|events\/:id|\*)$/;
let document: OpenAPIObject;
const stack = gatewayForTests();
beforeAll(() => {
  document = stack.gateway.app.get(ApiDocument).get();
});

interface Operation {
  operationId: string;
  summary: string;
  responses: Record<string, { description: string }>;
  requestBody?: object;
  security?: object[];
  'x-access': string;
}
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );

describe('the OpenAPI document', () => {
  it('lists exactly the existing calls with their access rules', () => {
    const described = operations().map(
      ({ path, method, operation }) => `${method.toUpperCase()} ${path} ${operation['x-access']}`,
    );
    const expected = ACCESS_TABLE.filter(({ path }) => !NOT_DESCRIBED.test(path)).map(
      ({ method, path, access }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${access}`,
    );
    expect(described.toSorted()).toEqual(expected.toSorted());
  });

  it('names FRESH_SIGN_IN_REQUIRED for exactly the calls that the web tests cover', () => {
    const fresh = operations().filter(({ operation }) =>
      operation.responses['403']?.description.includes('FRESH_SIGN_IN_REQUIRED'),
    );
    expect(fresh.map(({ path, method }) => `${method.toUpperCase()} ${path}`).toSorted()).toEqual(
      FRESH_CALLS,
    );
  });

  it('describes the errors of malformed paths and which calls need a session', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const unlike = ['not-an-id', 'x'.repeat(301), '%ff'];
    // Replaces one parameter at a time and uses an id for the others.
    const calls = ACCESS_TABLE.filter(
      ({ path }) => path.includes(':') && path.replaceAll(/:(\w+)/g, '{$1}') in document.paths,
    ).flatMap(({ method, path }) =>
      path
        .match(/:\w+/g)!
        .flatMap((parameter) => unlike.map((value) => [method, path.replace(parameter, value)] as const)),
    );
    await inTurns(calls, 10, ([method, path]) =>
      browser.send(method, path.replaceAll(/:\w+/g, anEvent().id), method === 'GET' ? undefined : {}),
    );
    for (const { operation } of operations())
      expect([operation.operationId, operation.security]).toEqual([
        operation.operationId,
        operation['x-access'] === 'public' ? [] : [{ session: [] }],
      ]);
  });

  it('gives each call a unique name and a summary of up to eight words', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of operations()) expect(operation.summary).toMatch(/^[A-Z]\S+( \S+){0,7}$/);
  });

  it('refers only to schemas that it contains', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name!,
    );
    const schemas = Object.keys(document.components?.schemas ?? {});
    expect(references.filter((name) => !schemas.includes(name))).toEqual([]);
  });

  it('lists a success and the common errors for each call', () => {
    for (const { operation } of operations()) {
      const statuses = Object.keys(operation.responses);
      expect(statuses.some((status) => /^[23]/.test(status))).toBe(true);
      expect(statuses).toEqual(expect.arrayContaining(['429', '500', '503']));
      if (operation['x-access'] !== 'public') expect(statuses).toContain('401');
      if (!['public', 'member'].includes(operation['x-access'])) expect(statuses).toContain('403');
      if (operation.requestBody !== undefined)
        expect(statuses).toEqual(expect.arrayContaining(['400', '403', '413', '415']));
    }
  });

  it('describes every error code, but METHOD_NOT_ALLOWED only in its introduction', () => {
    const described = JSON.stringify(document.paths);
    const missing = Object.keys(ERRORS).filter((code) => !described.includes(`"${code}"`));
    expect(missing.filter((code) => code !== 'OUT_OF_RANGE')).toEqual(['METHOD_NOT_ALLOWED']);
    expect(document.info.description).toContain('METHOD_NOT_ALLOWED');
  });

  it('marks all fields of an event change as optional, and some as nullable', () => {
    const { EventChangesBody } = document.components!.schemas as Record<
      string,
      { properties: Record<string, { type: unknown }>; required?: string[] }
    >;
    expect(EventChangesBody!.required).toBeUndefined();
    expect(EventChangesBody!.properties).toMatchObject({
      title: { type: 'string' },
      startDate: { type: 'string' },
      capacity: { type: ['integer', 'null'], description: expect.stringContaining("'' counts as null") },
      description: { type: ['string', 'null'] },
    });
  });

  it('describes the validation rules of fields', () => {
    const { EventBody } = document.components!.schemas as Record<
      string,
      { properties: object; required: string[] }
    >;
    expect(EventBody).toMatchObject({
      additionalProperties: false,
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 255 },
        capacity: { type: ['integer', 'null'], minimum: 1 },
        format: { enum: ['in_person', 'online', 'hybrid'] },
        startDate: { type: 'string', format: 'date-time' },
        price: { type: expect.arrayContaining(['string', 'number', 'null']), minimum: 0, maximum: 1_000_000 },
        description: { maxLength: 10_000, description: expect.stringContaining("'' counts as null") },
      },
    });
    const price = (EventBody!.properties as { price: { pattern: string } }).price;
    for (const text of ['', '0', '12.5', '1000000.00']) expect(text).toMatch(new RegExp(price.pattern));
    expect('1.005').not.toMatch(new RegExp(price.pattern));
    const unregister = document.paths['/api/events/{id}/register']!.delete as Operation;
    expect(unregister.responses['404']!.description).not.toContain('EVENT_NOT_FOUND');
    expect(EventBody!.required.toSorted()).toEqual(['endDate', 'startDate', 'title']);
  });
});

it('refuses a body without its required fields with a message for each', async () => {
  for (const type of bodyClasses()) {
    const { required = [] } = requestSchema(type);
    const refusal = await validated(type, {}).catch((error: DomainError) => error);
    const fields = refusal instanceof DomainError ? refusal.details?.fields : {};
    expect(Object.keys(fields ?? {}).toSorted()).toEqual((required as string[]).toSorted());
    for (const messages of Object.values(fields ?? {}))
      expect(messages).toEqual([expect.stringMatching(/ is required$/)]);
  }
  expect(bodyClasses().length).toBeGreaterThan(10);
});

describe('the API documentation page', () => {
  it('has no inline scripts and loads its script files from this site', async () => {
    const page = await stack.browser().get('/api/docs');
    expect(page.status).toBe(200);
    const scripts = [...page.text.matchAll(/<script([^>]*)>([^<]*)/g)];
    expect(scripts).toHaveLength(2);
    for (const [, attributes, inline] of scripts) {
      expect(inline).toBe('');
      const source = /src="([^"]+)"/.exec(attributes!)![1]!;
      expect((await stack.browser().get(source)).status).toBe(200);
    }
  });

  it('returns 404 for files that it does not use', async () => {
    for (const file of ['package.json', '..%2fpackage.json', 'constructor', 'index.html', 'openapi.json'])
      expect((await stack.browser().get(`/api/docs/${file}`)).status).toBe(404);
  });
});
