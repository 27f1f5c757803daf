import { randomBytes, randomUUID } from 'node:crypto';
import {
  codeSeal,
  FLOW_SECRET_BYTES,
  type Asker,
  type Identity,
  type RequestRsvpRequest,
  type SealedCode,
  type SessionUser,
  type SignUpRequest,
  type User,
} from '@meetmark/contracts';
import { openSealedText, StartedCall, type Call } from '@meetmark/platform';
import {
  openServiceContext,
  serviceForTests,
  type TestService,
} from '@meetmark/platform/testing/test-service';
import { emptyTables, type TestDatabase } from '@meetmark/testing';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import { AccountsService } from '../accounts/accounts.service.js';
import { SignInService } from '../accounts/sign-in.service.js';
import { AuthConfig } from '../auth.config.js';
import { AuthModule } from '../auth.module.js';
import { CodesService } from '../codes/codes.service.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { ProfilesService } from '../profiles/profiles.service.js';
import { SecondFactorsService } from '../second-factors/second-factors.service.js';
import { SecondStepService } from '../second-factors/second-step.service.js';
import { SessionUsersService } from '../users/session-users.service.js';
import { Ownership } from '../users/users.repository.js';

export const RESET_CODE_SECRET = 'a-reset-code-secret-for-tests-of-auth';
const AUTH = {
  name: 'auth' as const,
  module: AuthModule,
  config: AuthConfig,
  pool: 25,
  values: {
    resetCodeSecrets: [RESET_CODE_SECRET],
    secondFactorSecrets: ['a-second-factor-secret-for-tests-of-auth'],
  },
};

/** The services that most tests call. */
const servicesOf = ({ get }: TestService<AuthConfig>) => ({
  accounts: get(AccountsService),
  codes: get(CodesService),
  factors: get(SecondFactorsService),
  hasher: get(PasswordHasher),
  passwords: get(PasswordsService),
  profiles: get(ProfilesService),
  secondStep: get(SecondStepService),
  signIns: get(SignInService),
  users: get(SessionUsersService),
});

/** `clear` restores the initial state, for tests that share the service. */
export type TestAuth = TestService<AuthConfig> & ReturnType<typeof servicesOf> & { clear(): Promise<void> };

/** @param owned whether the installation has had an owner. Until then, nobody can create an account. */
export async function openAuth(database?: TestDatabase, owned = true): Promise<TestAuth> {
  const service = await openServiceContext(AUTH, database);
  if (owned) {
    const { id } = await insertAdministrator(service.owner);
    await service.get(Ownership).required();
    await service.owner.query(
      `ALTER TABLE auth.users DISABLE TRIGGER USER; DELETE FROM auth.users WHERE id = '${id}'; ALTER TABLE auth.users ENABLE TRIGGER USER`,
    );
  }
  const clear = async () => {
    await emptyTables(service.owner, ['auth.users', 'auth.pictures', 'auth.code_flows', 'auth.outbox']);
    await service.redis.flushdb();
  };
  return { ...service, ...servicesOf(service), clear };
}

export const authForTests = () => serviceForTests(openAuth, (auth) => auth.clear());

export { refuses } from '@meetmark/platform/testing/test-service';

export const anAsker = (network = '192.0.2.0/24'): Asker => ({
  browser: randomBytes(FLOW_SECRET_BYTES).toString('base64url'),
  network,
});

/** Returns the decrypted code and link of the latest email to an address, or neither if there are none. */
export async function mailedTo(email: string, { rows }: TestAuth): Promise<SealedCode> {
  const [latest] = await rows(
    'SELECT id, sealed FROM auth.code_flows WHERE email = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
    [email],
  );
  const text = latest?.sealed && openSealedText(latest.sealed, codeSeal(latest.id), [RESET_CODE_SECRET]);
  return JSON.parse(text || '{}') as SealedCode;
}

/** Requests a registration by code. Returns what confirms it, and the link in the email. */
export async function requestRsvp(auth: TestAuth, given: Partial<RequestRsvpRequest> = {}) {
  const person = { email: 'ada@example.com', firstName: 'Augusta', lastName: 'King' };
  const request = { ...person, eventId: randomUUID(), asker: anAsker(), ...given };
  const { flow } = await auth.codes.requestRsvp(request);
  const { code, link } = await mailedTo(request.email, auth);
  return { flow, code: code ?? '', link, asker: request.asker };
}

/** Adds a factor that no code matches, even without a verified email address, as earlier versions did. */
export async function addFactor({ owner }: TestAuth, userId: string, name = 'Phone'): Promise<void> {
  const { rows } = await owner.query<{ at: Date | null }>(
    'SELECT email_verified_at AS at FROM auth.users WHERE id = $1',
    [userId],
  );
  await owner.query('UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [userId]);
  await owner.query(
    `INSERT INTO auth.second_factors (id, user_id, kind, name, sealed_secret, last_step)
     VALUES (gen_random_uuid(), $1, 'totp', $2, 'sealed', 0)`,
    [userId, name],
  );
  await owner.query('UPDATE auth.users SET email_verified_at = $2 WHERE id = $1', [userId, rows[0]!.at]);
}

export const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

export const nobody = (): Call => new StartedCall({ identity: null, requestId: 'test', timeLeft: 5_000 });

export const memberFields = (given: Partial<SignUpRequest> = {}): SignUpRequest => ({
  email: 'Ada@Example.com',
  password: 'correct horse',
  firstName: 'Ada',
  lastName: 'Lovelace',
  linkedInUrl: null,
  asker: anAsker(),
  ...given,
});

/** Creates a call by the given user, with that user's rights. */
export function createCall(
  who: SessionUser | { id: string; isAdmin?: boolean; epoch?: number },
  confirmedAt = Date.now(),
  adminSecondFactorRequired = false,
): Call {
  const { id, isAdmin = false }: Pick<User, 'id'> & Partial<User> = 'user' in who ? who.user : who;
  const identity: Identity = {
    sub: id,
    isAdmin,
    epoch: who.epoch ?? 1,
    confirmedAt,
    adminSecondFactorRequired,
  };
  return new StartedCall({ identity, requestId: randomUUID(), timeLeft: 5_000 });
}
