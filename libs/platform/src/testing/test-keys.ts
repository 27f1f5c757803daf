import { generateKeyPairSync } from 'node:crypto';

export function makeIdentityKeys(): { identityPrivateKey: string; identityPublicKeys: string[] } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    identityPrivateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    identityPublicKeys: [publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')],
  };
}

export const TEST_KEYS = {
  ...makeIdentityKeys(),
  rpcSecrets: ['a-secret-for-tests-that-encrypts-messages'],
};
