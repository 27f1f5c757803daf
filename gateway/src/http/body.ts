import { isAscii } from 'node:buffer';
import { DomainError } from '@meetmark/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { received } from './body-budget.js';
import { isUnsafe } from './csrf.js';
import { BODY_LIMIT } from './server.js';

/** `any`: the body says nothing. A mail program may send its one-click unsubscribe as either kind of form (RFC 8058, 3.2), others as JSON. */
export type BodyKind = 'json' | 'any';

const JSON_TYPE = 'application/json';
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const MEDIA_TYPES: Record<BodyKind, string[]> = { json: [JSON_TYPE], any: [JSON_TYPE, ...FORM_TYPES] };

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

/** Reads JSON, and where the route takes a form any body; Fastify refuses every other media type. */
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
 * The content of a JSON body; undefined when it is empty. Its structure is counted before it is parsed, since values take many times
 * the memory and time of their bytes.
 * @param most values
 * @param pictures whether it may have data URLs of any length
 * @throws DomainError MALFORMED_TEXT, MALFORMED_JSON, BODY_TOO_DEEP, BODY_TOO_LARGE, VALIDATION_FAILED
 */
export function parseJson(bytes: Buffer, most = MAX_VALUES, pictures = false): unknown {
  if (bytes.length === 0) return undefined;
  countStructure(bytes, most, pictures);
  const value = parsed(decoded(bytes));
  inspect(value, most);
  return value;
}

/** Bytes of a body that are no picture: the fields of an event take as many, where each letter is escaped. */
const PLAIN_BYTES = 8 * BODY_LIMIT;
const [QUOTE, COMMA, BACKSLASH, SLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('",\\/[]{}');
const SPACES = [...Buffer.from(' \t\r\n')];
const PICTURE = Buffer.from('data:');
/** The part of a picture's bytes that may be escaped slashes, as some programs write them: every 64th sign of base64 is a slash. */
const ESCAPED = 1 / 16;

/** Counts depth and values in one pass over the bytes that are no picture, without making a value. @throws DomainError BODY_TOO_DEEP, BODY_TOO_LARGE */
function countStructure(bytes: Buffer, most: number, pictures: boolean): void {
  let [depth, values, plain, at] = [0, 0, 0, 0];
  let opened = false; // nothing has come since the last bracket
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

/** The place after the closing quote of the string that begins at `start`, or as far as `most` bytes. */
function endOfString(bytes: Buffer, start: number, most: number): number {
  const stop = Math.min(bytes.length, start + most + 1);
  for (let at = start; at < stop; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return stop;
}

/** The same of a data URL: ASCII without escapes but those of slashes, so that its text takes no more memory than its bytes; -1 of any other string. */
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
