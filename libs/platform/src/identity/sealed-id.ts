import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

const ALGORITHM = 'aes-256-ecb';

type Purpose = 'guest' | 'venue';

/** Derives a key per purpose, so that a guest's code isn't valid as a venue's code. */
const deriveKey = (purpose: Purpose, secret: string) =>
  createHash('sha256').update(`${purpose}:${secret}`).digest();

const toBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
const toId = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Encrypts a UUID to 22 characters of base64url. ECB is safe here, because a UUID is unique and a single
 * block.
 */
export function sealId(purpose: Purpose, id: string, secret: string): string {
  const cipher = createCipheriv(ALGORITHM, deriveKey(purpose, secret), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(toBytes(id)), cipher.final()]).toString('base64url');
}

/** Decrypts a code. A code from another secret results in a UUID that no row has. */
export function openId(purpose: Purpose, code: string, secret: string): string {
  const decipher = createDecipheriv(ALGORITHM, deriveKey(purpose, secret), null).setAutoPadding(false);
  return toId(Buffer.concat([decipher.update(Buffer.from(code, 'base64url')), decipher.final()]));
}
