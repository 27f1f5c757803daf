import { DomainError } from '@meetmark/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUnsafe } from './csrf.js';
import { BODY_LIMIT } from './server.js';

export type BodyKind = 'json' | 'form';

const MEDIA_TYPES: Record<BodyKind, string[]> = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded', 'multipart/form-data'],
};

/** Levels of objects and arrays in a body; requests of this API need three. */
export const MAX_DEPTH = 32;
/** Values in a body, at every depth; requests of this API have two dozen. Validation takes time by the square of their number. */
export const MAX_VALUES = 1_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Refuses a body by its headers, before it is read. @throws DomainError BODY_TOO_LARGE, NOT_JSON */
export function checkBodyHeaders({ method, headers, routeOptions }: FastifyRequest): void {
  if (!isUnsafe(method)) return;
  const { bodyLimit = BODY_LIMIT, body = 'json' } = routeOptions.config;
  const length = Number(headers['content-length'] ?? 0);
  if (length > bodyLimit) throw new DomainError('BODY_TOO_LARGE');
  if (length === 0 && headers['transfer-encoding'] === undefined) return;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const encoding = headers['content-encoding'] ?? 'identity'; // a compressed body could be a bomb
  if (!MEDIA_TYPES[body].includes(type ?? '') || encoding !== 'identity') throw new DomainError('NOT_JSON');
}

/** Reads JSON, and a form where the route takes one; Fastify refuses every other media type. */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' } as const;
  server.addContentTypeParser(MEDIA_TYPES.json, options, (request, body: Buffer, done) => {
    parse(() => parseJson(body, request.routeOptions.config.values), done);
  });
  // a mail program may send its one-click unsubscribe as either kind of form (RFC 8058, 3.2); the address says everything
  server.addContentTypeParser(MEDIA_TYPES.form, options, (request, _body: Buffer, done) => {
    parse(() => refuseUnlessForm(request), done);
  });
}

function refuseUnlessForm(request: FastifyRequest): void {
  if (request.routeOptions.config.body !== 'form') throw new DomainError('NOT_JSON');
}

function parse(read: () => unknown, done: (error: Error | null, body?: unknown) => void): void {
  let body: unknown;
  try {
    body = read();
  } catch (error) {
    return done(error as Error);
  }
  done(null, body);
}

/**
 * The content of a JSON body; undefined when it is empty.
 * @throws DomainError MALFORMED_TEXT, MALFORMED_JSON, BODY_TOO_DEEP, BODY_TOO_LARGE, VALIDATION_FAILED
 */
export function parseJson(bytes: Buffer, most = MAX_VALUES): unknown {
  if (bytes.length === 0) return undefined;
  const value = parsed(decoded(bytes));
  inspect(value, most);
  return value;
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new DomainError('MALFORMED_TEXT', undefined, { cause: error });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DomainError('MALFORMED_JSON', undefined, { cause: error });
  }
}

/** Visits every value. It keeps its own stack, because a body can be nested deeper than the call stack is. */
function inspect(body: unknown, most: number): void {
  const open: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && value.includes('\0')) throw new DomainError('MALFORMED_TEXT');
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) throw new DomainError('BODY_TOO_DEEP');
    values += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (values > most) throw new DomainError('BODY_TOO_LARGE');
    for (const [key, inner] of Object.entries(value)) {
      refuseKey(key);
      open.push({ value: inner, depth: depth + 1 });
    }
  }
}

function refuseKey(key: string): void {
  if (key.includes('\0')) throw new DomainError('MALFORMED_TEXT');
  if (reachesForPrototype(key))
    throw new DomainError('VALIDATION_FAILED', {
      fields: { [key]: [`${key} is not a known field`] },
      rules: { [key]: { rule: 'unknown' } },
    });
}

/** A property of every object: in a copy of the body it would be lost, or change the copy's prototype. */
const reachesForPrototype = (key: string) => key === 'prototype' || key in Object.prototype;
