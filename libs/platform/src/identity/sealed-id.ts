import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

const ALGORITHM = 'aes-256-ecb';

/** What a code is of: a guest's registration, or an event at its venue. */
type Purpose = 'guest' | 'venue';

/** Another key for each purpose: a code of one kind is none of the other. */
const keyOf = (purpose: Purpose, secret: string) =>
  createHash('sha256').update(`${purpose}:${secret}`).digest();

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * A UUID, enciphered as one block: 22 characters of base64url that cannot be read without the key. Nothing is stored. One block under one
 * key has no repetition to hide, which is all that a mode of operation would be for.
 */
export function sealId(purpose: Purpose, id: string, secret: string): string {
  const cipher = createCipheriv(ALGORITHM, keyOf(purpose, secret), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytesOf(id)), cipher.final()]).toString('base64url');
}

/** The UUID; for a code that was not sealed with this secret, a UUID that no row has. */
export function openId(purpose: Purpose, code: string, secret: string): string {
  const decipher = createDecipheriv(ALGORITHM, keyOf(purpose, secret), null).setAutoPadding(false);
  return idOf(Buffer.concat([decipher.update(Buffer.from(code, 'base64url')), decipher.final()]));
}
