import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

const CURVE = 'prime256v1';
const ID_LENGTH = 12;

/** The key that signs identities. Only the gateway, which knows the sessions, has it. */
export class IdentityKey {
  /** Names the key in a token. */
  readonly id: string;
  readonly key: KeyObject;

  /** @param text IDENTITY_PRIVATE_KEY */
  constructor(text: string) {
    this.key = privateKey(text);
    this.id = idOf(createPublicKey(this.key));
  }
}

/** The keys that verify identities. Each is accepted, so that a new one is known before the gateway signs with it. */
export class IdentityKeys {
  private readonly byId: Map<string, KeyObject>;

  /** @param texts IDENTITY_PUBLIC_KEYS */
  constructor(texts: string[]) {
    this.byId = new Map(texts.map(publicKey).map((key) => [idOf(key), key]));
  }

  get(id: string | undefined): KeyObject | undefined {
    return id === undefined ? undefined : this.byId.get(id);
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }
}

/** @throws Error unless it is a P-256 key: PKCS #8, DER, base64url */
function privateKey(text: string): KeyObject {
  return onCurve(createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' }));
}

/** @throws Error unless it is a P-256 key: SPKI, DER, base64url */
function publicKey(text: string): KeyObject {
  return onCurve(createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' }));
}

function onCurve(key: KeyObject): KeyObject {
  if (key.asymmetricKeyDetails?.namedCurve !== CURVE) throw new Error(`not a key on the curve ${CURVE}`);
  return key;
}

const idOf = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, ID_LENGTH);
