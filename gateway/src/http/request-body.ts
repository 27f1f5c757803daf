import { DomainError } from '@meetmark/contracts';

/** Levels of objects and arrays in a body; ours need three. */
export const MAX_DEPTH = 32;
/** Would reach for an object's prototype once the body is copied (T2). */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The content of a JSON body; undefined when it is empty.
 * @throws DomainError MALFORMED_TEXT, MALFORMED_JSON, BODY_TOO_DEEP
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
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && value.includes('\0')) throw new DomainError('MALFORMED_TEXT');
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) throw new DomainError('BODY_TOO_DEEP');
    for (const [key, inner] of Object.entries(value)) {
      refuseKey(key);
      open.push({ value: inner, depth: depth + 1 });
    }
  }
}

function refuseKey(key: string): void {
  if (key.includes('\0')) throw new DomainError('MALFORMED_TEXT');
  if (FORBIDDEN_KEYS.has(key))
    throw new DomainError('VALIDATION_FAILED', { fields: { [key]: [`property ${key} should not exist`] } });
}
