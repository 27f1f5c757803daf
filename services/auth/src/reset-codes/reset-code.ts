import { LIMITS } from '@meetmark/contracts';
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** Six digits from a CSPRNG, each code as likely as any other. */
export const newResetCode = (): string =>
  String(randomInt(10 ** LIMITS.resetCode)).padStart(LIMITS.resetCode, '0');

/** Keyed, because a million codes are tried in a second by whoever reads the table; bound to its row by the id. */
const hashWith = (secret: string, id: string, code: string): Buffer =>
  createHmac('sha256', secret).update(`reset code:${id}:${code}`).digest();

/** @param secrets RESET_CODE_SECRETS; the first hashes */
export function hashResetCode(id: string, code: string, [newest]: string[]): Buffer {
  if (newest === undefined) throw new Error('a reset code cannot be hashed without a secret');
  return hashWith(newest, id, code);
}

/** Whether any of the secrets gives this hash; in constant time. */
export const isResetCode = (hash: Buffer, id: string, code: string, secrets: string[]): boolean =>
  secrets.some((secret) => timingSafeEqual(hash, hashWith(secret, id, code)));
