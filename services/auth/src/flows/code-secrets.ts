import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { FLOW_SECRET_BYTES, LIMITS } from '@meetmark/contracts';

/** Six digits from a CSPRNG, each code as likely as any other. */
export const newCode = (): string =>
  String(randomInt(10 ** LIMITS.resetCode)).padStart(LIMITS.resetCode, '0');

/** 128 bits: it cannot be guessed. */
export const newLink = (): string => randomBytes(FLOW_SECRET_BYTES).toString('base64url');

/** Keyed, because a million codes are tried in a second by a reader of the table; bound to its row by the id. */
const hashWith = (secret: string, id: string, code: string): Buffer =>
  createHmac('sha256', secret).update(`code:${id}:${code}`).digest();

/** @param secrets RESET_CODE_SECRETS; the first hashes */
export function hashCode(id: string, code: string, [newest]: string[]): Buffer {
  if (newest === undefined) throw new Error('a code cannot be hashed without a secret');
  return hashWith(newest, id, code);
}

/** Whether any of the secrets gives this hash; in constant time. */
export const isCode = (hash: Buffer, id: string, code: string, secrets: string[]): boolean =>
  secrets.some((secret) => timingSafeEqual(hash, hashWith(secret, id, code)));

/** Hashes a secret of 128 random bits or more: it cannot be guessed, so a fast hash is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Where a request came from, as rows know it: networks are few and would be guessed from a hash without a key. */
export function hashNetwork(network: string, [newest]: string[]): Buffer {
  if (newest === undefined) throw new Error('a network cannot be hashed without a secret');
  return createHmac('sha256', newest).update(`network:${network}`).digest();
}
