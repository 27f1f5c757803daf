import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { LRUCache } from 'lru-cache';

const CIPHER = 'aes-256-gcm';
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const COUNTER_BYTES = 6;
const HEADER_BYTES = SALT_BYTES + NONCE_BYTES;
const REMEMBERED = 1_000;

/**
 * Each instance derives its own key from a random salt. Its nonces can therefore be a counter, which never
 * repeats for the same key.
 */
export class RpcCipher {
  private readonly salt = randomBytes(SALT_BYTES);
  private readonly key: KeyObject;
  private readonly knownKeys = new LRUCache<string, KeyObject>({ max: REMEMBERED });
  private encrypted = 0;

  constructor(private readonly secrets: string[]) {
    const [newest] = secrets;
    if (newest === undefined) throw new Error('RPC messages need a secret to encrypt them with');
    this.key = deriveKey(newest, this.salt);
  }

  /** @param name key or channel in Redis; needed to decrypt the text */
  encrypt(text: string, name: string): Buffer {
    const header = Buffer.alloc(HEADER_BYTES);
    this.salt.copy(header);
    header.writeUIntBE((this.encrypted += 1), HEADER_BYTES - COUNTER_BYTES, COUNTER_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, header.subarray(SALT_BYTES)).setAAD(Buffer.from(name));
    return Buffer.concat([header, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  decrypt(bytes: Buffer, name: string): string | undefined {
    if (bytes.length < HEADER_BYTES + TAG_BYTES) return undefined;
    const salt = bytes.subarray(0, SALT_BYTES);
    const sender = salt.toString('latin1');
    const known = this.knownKeys.get(sender);
    if (known !== undefined) return decryptWith(known, bytes, name);
    for (const secret of this.secrets) {
      const key = deriveKey(secret, salt);
      const text = decryptWith(key, bytes, name);
      if (text === undefined) continue;
      this.knownKeys.set(sender, key);
      return text;
    }
    return undefined;
  }
}

function decryptWith(key: KeyObject, bytes: Buffer, name: string): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(SALT_BYTES, HEADER_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES), undefined, 'utf8');
    return text + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

const deriveKey = (secret: string, salt: Buffer) =>
  createSecretKey(createHmac('sha256', secret).update('meetmark rpc:').update(salt).digest());
