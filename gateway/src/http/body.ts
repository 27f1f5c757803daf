import { isAscii } from 'node:buffer';
import { DomainError } from '@meetmark/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { received } from './body-budget.js';
import { isUnsafe } from './csrf.js';
import { BODY_LIMIT } from './server.js';

/**
 * `any` accepts forms and JSON, and ignores the body. Email programs send one-click unsubscribe as a form
 * (RFC 8058, 3.2) or as JSON.
 */
export type BodyKind = 'json' | 'any';

const JSON_TYPE = 'application/json';
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const MEDIA_TYPES: Record<BodyKind, string[]> = { json: [JSON_TYPE], any: [JSON_TYPE, ...FORM_TYPES] };

/** Maximum depth of a JSON body. This API needs three levels. */
export const MAX_DEPTH = 32;
/**
 * Default maximum of values in a JSON body, because validation takes quadratic time. Most calls need at most
 * two dozen.
 */
export const MAX_VALUES = 1_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws DomainError BODY_TOO_LARGE, NOT_JSON */
export function checkBodyHeaders({ method, headers, routeOptions }: FastifyRequest): void {
  if (!isUnsafe(method)) return;
  const { bodyLimit = BODY_LIMIT, body = 'json' } = routeOptions.config;
  const length = Number(headers['content-length'] ?? 0);
  if (length > bodyLimit) throw new DomainError('BODY_TOO_LARGE');
  if (length === 0 && headers['transfer-encoding'] === undefined) return;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const encoding = headers['content-encoding'] ?? 'identity'; // A small compressed body could expand to a huge one.
  if (!MEDIA_TYPES[body].includes(type ?? '') || encoding !== 'identity') throw new DomainError('NOT_JSON');
}

export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPE, async (request: FastifyRequest) => {
    const { values, bodyLimit, body } = request.routeOptions.config;
    const bytes = await received(request);
    return body === 'any' ? undefined : parseJson(bytes, values, bodyLimit !== undefined);
  });
  server.addContentTypeParser(FORM_TYPES, async (request: FastifyRequest) => {
    if (request.routeOptions.config.body !== 'any') throw new DomainError('NOT_JSON');
    await received(request);
  });
}

/**
 * Checks the structure before parsing, because even a short body can need much memory and time to parse.
 * @param pictures whether data URLs may have any length
 * @throws DomainError MALFORMED_TEXT, MALFORMED_JSON, BODY_TOO_DEEP, BODY_TOO_LARGE, VALIDATION_FAILED
 */
export function parseJson(bytes: Buffer, most = MAX_VALUES, pictures = false): unknown {
  if (bytes.length === 0) return undefined;
  countStructure(bytes, most, pictures);
  const value = parsed(decoded(bytes));
  inspect(value, most);
  return value;
}

/** Maximum bytes of a body without its images. Enough for an event's fields with every letter escaped. */
const PLAIN_BYTES = 8 * BODY_LIMIT;
const [QUOTE, COMMA, BACKSLASH, SLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('",\\/[]{}');
const SPACES = [...Buffer.from(' \t\r\n')];
const PICTURE = Buffer.from('data:');
/** Maximum fraction of escaped slashes in an image. In base64, on average every 64th character is a slash. */
const ESCAPED = 1 / 16;

function countStructure(bytes: Buffer, most: number, pictures: boolean): void {
  let [depth, values, plain, at] = [0, 0, 0, 0];
  let opened = false;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    let next = at + 1;
    const wasOpened: boolean = opened;
    opened = wasOpened && SPACES.includes(byte);
    if (byte === QUOTE) {
      const end = pictures ? endOfPicture(bytes, next) : -1;
      if (end !== -1) plain -= end - at;
      next = end === -1 ? endOfString(bytes, next, PLAIN_BYTES - plain) : end;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      opened = true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (wasOpened) values -= 1;
    } else if (byte === COMMA) values += 1;
    plain += next - at;
    at = next;
    if (depth > MAX_DEPTH) throw new DomainError('BODY_TOO_DEEP');
    if (plain > PLAIN_BYTES || values > most + MAX_DEPTH) throw new DomainError('BODY_TOO_LARGE');
  }
}

function endOfString(bytes: Buffer, start: number, most: number): number {
  const stop = Math.min(bytes.length, start + most + 1);
  for (let at = start; at < stop; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return stop;
}

/**
 * Returns the index after a data URL, or -1 for other strings. A data URL must be ASCII and may escape only
 * slashes.
 */
function endOfPicture(bytes: Buffer, start: number): number {
  if (!bytes.subarray(start, start + PICTURE.length).equals(PICTURE)) return -1;
  const end = bytes.indexOf(QUOTE!, start);
  if (end === -1) return -1;
  const url = bytes.subarray(start, end);
  let escapes = url.length * ESCAPED;
  for (let at = url.indexOf(BACKSLASH!); at !== -1; at = url.indexOf(BACKSLASH!, at + 2))
    if (url[at + 1] !== SLASH || (escapes -= 1) < 0) return -1;
  return isAscii(url) ? end + 1 : -1;
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

/** Uses a list instead of recursion, because bodies can be nested deeper than the call stack. */
function inspect(body: unknown, most: number): void {
  const open: { value: unknown; depth: number; path: string }[] = [{ value: body, depth: 1, path: '' }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth, path } = next;
    if (typeof value === 'string' && value.includes('\0')) throw nulIn(path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) throw new DomainError('BODY_TOO_DEEP');
    values += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (values > most) throw new DomainError('BODY_TOO_LARGE');
    for (const [key, inner] of Object.entries(value)) {
      const name = path === '' ? key : Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      if (key.includes('\0') || reachesForPrototype(key))
        throw refusedField(name, 'is not a known field', 'unknown');
      open.push({ value: inner, depth: depth + 1, path: name });
    }
  }
}

/** PostgreSQL can't store NUL. */
const nulIn = (path: string) =>
  path === ''
    ? new DomainError('MALFORMED_TEXT')
    : refusedField(path, 'contains a NUL character, which cannot be saved', 'isText');

const NAME_LENGTH = 100;

function refusedField(path: string, problem: string, rule: string): DomainError {
  const name = path.slice(0, NAME_LENGTH);
  return new DomainError('VALIDATION_FAILED', {
    fields: { [name]: [`${name} ${problem}`] },
    rules: { [name]: { rule } },
  });
}

/** Every object inherits these keys. Copying such a key would lose it or change the prototype. */
const reachesForPrototype = (key: string) => key === 'prototype' || key in Object.prototype;
