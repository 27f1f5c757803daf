import { DomainError } from '@meetmark/contracts';

/** Levels of objects and arrays in a body; ours need three. */
export const MAX_DEPTH = 32;
/** Values in a body, at every depth; ours have two dozen. What checks them takes time by the square of their number. */
export const MAX_VALUES = 1_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The content of a JSON body; undefined when it is empty.
 * @throws DomainError MALFORMED_TEXT, MALFORMED_JSON, BODY_TOO_DEEP, BODY_TOO_LARGE, VALIDATION_FAILED
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const value = parsed(decoded(bytes));
  inspect(value);
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

/** Looks at everything in the body. Its own stack, not the call stack: a body may be nested as deeply as it is long. */
function inspect(body: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && value.includes('\0')) throw new DomainError('MALFORMED_TEXT');
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) throw new DomainError('BODY_TOO_DEEP');
    values += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (values > MAX_VALUES) throw new DomainError('BODY_TOO_LARGE');
    for (const [key, inner] of Object.entries(value)) {
      refuseKey(key);
      open.push({ value: inner, depth: depth + 1 });
    }
  }
}

function refuseKey(key: string): void {
  if (key.includes('\0')) throw new DomainError('MALFORMED_TEXT');
  if (reachesForPrototype(key))
    throw new DomainError('VALIDATION_FAILED', { fields: { [key]: [`property ${key} should not exist`] } });
}

/** What every object has by birth: a copy of the body would lose it, or change what it is (T2). */
const reachesForPrototype = (key: string) => key === 'prototype' || key in Object.prototype;
