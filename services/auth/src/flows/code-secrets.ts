import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { FLOW_SECRET_BYTES, LIMITS } from '@meetmark/contracts';

export const newCode = (): string =>
  String(randomInt(10 ** LIMITS.resetCode)).padStart(LIMITS.resetCode, '0');

export const newLink = (): string => randomBytes(FLOW_SECRET_BYTES).toString('base64url');

/** Uses a key, because anyone who reads the table could otherwise try all million codes in a second. */
const hashWith = (secret: string, id: string, code: string): Buffer =>
  createHmac('sha256', secret).update(`code:${id}:${code}`).digest();

export function hashCode(id: string, code: string, [newest]: string[]): Buffer {
  if (newest === undefined) throw new Error('a code cannot be hashed without a secret');
  return hashWith(newest, id, code);
}

export const isCode = (hash: Buffer, id: string, code: string, secrets: string[]): boolean =>
  secrets.some((secret) => timingSafeEqual(hash, hashWith(secret, id, code)));

/** Uses no key. Call it only for random secrets, which nobody can guess, or labels that aren't secret. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Uses a key, because anyone who reads the table could otherwise try all networks. */
export function hashNetwork(network: string, [newest]: string[]): Buffer {
  if (newest === undefined) throw new Error('a network cannot be hashed without a secret');
  return createHmac('sha256', newest).update(`network:${network}`).digest();
}
