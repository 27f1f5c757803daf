import { generateKeyPairSync } from 'node:crypto';
import { SecretsVariable } from '../config/fields.js';
import { ServiceConfig } from '../config/service.config.js';

/** A pair of keys as an installation has it. */
export function makeIdentityKeys(): { identityPrivateKey: string; identityPublicKeys: string[] } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    identityPrivateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    identityPublicKeys: [publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')],
  };
}

const secretOf = (pair: string) => [`a-secret-for-tests-of-messages-${pair}`];

/** What all processes of a test have together; each takes what it needs. */
export const TEST_KEYS = {
  ...makeIdentityKeys(),
  gatewayAuthSecrets: secretOf('gateway-auth'),
  gatewayEventsSecrets: secretOf('gateway-events'),
  gatewayAdminSecrets: secretOf('gateway-admin'),
  adminAuthSecrets: secretOf('admin-auth'),
  adminEventsSecrets: secretOf('admin-events'),
};

/** Of a sample service in a process of its own. */
export class SampleConfig extends ServiceConfig {
  @SecretsVariable()
  declare gatewayEventsSecrets: string[];
}
