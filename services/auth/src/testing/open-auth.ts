import { randomBytes, randomUUID } from 'node:crypto';
import {
  FLOW_SECRET_BYTES,
  type Asker,
  type Identity,
  type SessionUser,
  type SignUpRequest,
  type User,
} from '@meetmark/contracts';
import { StartedCall, type Call } from '@meetmark/platform';
import {
  openServiceContext,
  serviceForTests,
  type TestService,
} from '@meetmark/platform/testing/test-service';
import { AuthConfig } from '../auth.config.js';
import { AuthModule } from '../auth.module.js';

export const RESET_CODE_SECRET = 'a-reset-code-secret-for-tests-of-auth';
const AUTH = {
  name: 'auth' as const,
  module: AuthModule,
  config: AuthConfig,
  pool: 25,
  values: {
    resetCodeSecrets: [RESET_CODE_SECRET],
    secondFactorSecrets: ['a-second-factor-secret-for-tests-of-auth'],
    adminSecondFactor: 'encouraged' as const,
  },
};

/** As it was when it was opened, by `clear`: for tests that share it. */
export type TestAuth = TestService<AuthConfig> & { clear(): Promise<void> };

export async function openAuth(): Promise<TestAuth> {
  const service = await openServiceContext(AUTH);
  const clear = async () => {
    await service.owner.query('TRUNCATE auth.users, auth.pictures, auth.code_flows, auth.outbox CASCADE');
    await service.redis.flushdb();
  };
  return { ...service, clear };
}

/** One auth service for all tests of a `describe`, empty before each. */
export const authForTests = () => serviceForTests(openAuth, (auth) => auth.clear());

/** A browser that has asked for nothing yet. */
export const anAsker = (network = '192.0.2.0/24'): Asker => ({
  browser: randomBytes(FLOW_SECRET_BYTES).toString('base64url'),
  network,
});

/** What somebody enters who signs up. */
export const memberFields = (given: Partial<SignUpRequest> = {}): SignUpRequest => ({
  email: 'Ada@Example.com',
  password: 'correct horse',
  firstName: 'Ada',
  lastName: 'Lovelace',
  linkedInUrl: null,
  asker: anAsker(),
  ...given,
});

/** A call that this user makes; the token says what was true of them when the object was made. */
export function callOf(
  who: SessionUser | { id: string; isAdmin?: boolean; epoch?: number },
  confirmedAt = Date.now(),
): Call {
  const { id, isAdmin = false }: Pick<User, 'id'> & Partial<User> = 'user' in who ? who.user : who;
  const identity: Identity = { sub: id, isAdmin, epoch: who.epoch ?? 1, confirmedAt };
  return new StartedCall({ identity, requestId: randomUUID(), timeLeft: 5_000 });
}
