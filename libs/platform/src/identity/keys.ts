import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const CURVE = 'prime256v1';
const ID_LENGTH = 12;

/** Private key that signs identities. Only the gateway has it. */
export class IdentityKey {
  readonly id: string;
  readonly key: KeyObject;

  constructor(text: string) {
    this.key = privateKey(text);
    this.id = computeId(createPublicKey(this.key));
  }
}

/**
 * Public keys that verify identities. Services accept all of them. So they can learn a new key before the
 * gateway uses it.
 */
export class IdentityKeys {
  private readonly byId: Map<string, KeyObject>;

  constructor(texts: string[]) {
    this.byId = new Map(texts.map(publicKey).map((key) => [computeId(key), key]));
  }

  get(id: string | undefined): KeyObject | undefined {
    return id === undefined ? undefined : this.byId.get(id);
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }
}

function privateKey(text: string): KeyObject {
  return onCurve(createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' }));
}

function publicKey(text: string): KeyObject {
  return onCurve(createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' }));
}

function onCurve(key: KeyObject): KeyObject {
  if (key.asymmetricKeyDetails?.namedCurve !== CURVE) throw new Error(`not a key on the curve ${CURVE}`);
  return key;
}

const computeId = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, ID_LENGTH);
