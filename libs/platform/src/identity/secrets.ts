import { createHash, createSecretKey, type KeyObject } from 'node:crypto';

interface Secret {
  /** Names the secret in a token without telling anything about it. */
  id: string;
  /** A key object: with a string, each signature costs forty times as much on Node 20. */
  key: KeyObject;
}

const ID_LENGTH = 12;

/** The identity secrets: the first signs, every one verifies, so that a new one can be put in front without a break. */
export class IdentitySecrets {
  readonly signing: Secret;
  private readonly byId: Map<string, KeyObject>;

  constructor(secrets: string[]) {
    const all = secrets.map((secret) => ({
      id: createHash('sha256').update(`meetmark key id:${secret}`).digest('hex').slice(0, ID_LENGTH),
      key: createSecretKey(Buffer.from(secret)),
    }));
    const [first] = all;
    if (first === undefined) throw new Error('IDENTITY_SECRETS holds no secret');
    this.signing = first;
    this.byId = new Map(all.map(({ id, key }) => [id, key]));
  }

  verifying(id: string | undefined): KeyObject | undefined {
    return id === undefined ? undefined : this.byId.get(id);
  }
}
