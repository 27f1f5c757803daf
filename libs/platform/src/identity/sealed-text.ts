import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param context what the text belongs to, such as `code-flow:{id}`; needed to decrypt the text
 * @param secrets the first one encrypts and all decrypt, so that secrets can be rotated
 */
export function sealText(text: string, context: string, secrets: string[]): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('text cannot be sealed without a secret');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(newest), nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${sealed.toString('base64url')}`;
}

export function openSealedText(sealed: string, context: string, secrets: string[]): string | null {
  const [version, body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  for (const secret of secrets) {
    const text = open(bytes, context, secret);
    if (text !== null) return text;
  }
  return null;
}

function open(bytes: Buffer, context: string, secret: string): string | null {
  const decipher = createDecipheriv(CIPHER, sealingKey(secret), bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch {
    return null; // The tag doesn't match: wrong secret, wrong context, or not an encrypted text.
  }
}

const sealingKey = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'meetmark sealed text', KEY_BYTES));
