import 'reflect-metadata';
import { createPublicKey } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import type { Identity } from '@meetmark/contracts';
import { testRedis } from '@meetmark/testing';
import { RedisClock } from '../redis/clock.js';
import {
  openCaller,
  openTestService,
  testConfig,
  type OpenedService,
  type TestCaller,
} from '../testing/open-service.js';
import { refuses } from '../testing/test-service.js';
import { AdminsOnly, Look, MembersOnly, sampleMessages } from '../testing/sample.messages.js';
import { SampleModule } from '../testing/sample.service.js';
import { makeIdentityKeys, TEST_KEYS } from '../testing/test-keys.js';
import { AccessGuard } from '../rpc/handles.js';
import { IdentityIssuer, TOKEN_ALGORITHM, TOKEN_LIFE } from './credentials.js';
import { knownCaller, useIdentityTokens } from './identity.strategy.js';
import { IdentityKey, IdentityKeys } from './keys.js';
import { confirmRight } from './rights.js';

const member: Identity = { sub: 'member-1', isAdmin: false, isOrganiser: false, epoch: 3 };
const admin: Identity = { sub: 'admin-1', isAdmin: true, isOrganiser: false, epoch: 0 };
const NEXT = makeIdentityKeys();
const UNKNOWN = makeIdentityKeys();

class ShiftedClock extends RedisClock {
  constructor(public seconds: number) {
    super();
  }
  override now(): number {
    return super.now() + this.seconds * 1_000;
  }
}

const issuer = (
  { identityPrivateKey }: { identityPrivateKey: string } = TEST_KEYS,
  clock = new RedisClock(),
) => new IdentityIssuer(new IdentityKey(identityPrivateKey), clock);

describe('verifying the identity in a message', () => {
  let service: OpenedService;
  let caller: TestCaller;

  beforeAll(async () => {
    const config = testConfig({
      redisUrl: (await testRedis()).urlFor('events'),
      identityPublicKeys: [...TEST_KEYS.identityPublicKeys, ...NEXT.identityPublicKeys],
    });
    service = await openTestService('events', SampleModule, sampleMessages, config);
    caller = await openCaller(config);
  });
  afterAll(async () => {
    caller.close();
    await service.stop();
  });

  const withToken = (identityToken: string) => caller.rpc.call(MembersOnly, {}, { identityToken });

  it('passes the caller’s identity to the handler, or none without a caller', async () => {
    expect(await caller.rpc.call(MembersOnly, {}, { identity: member })).toMatchObject({ sub: 'member-1' });
    expect(await caller.rpc.call(Look, {})).toMatchObject({ sub: null });
  });

  it('rejects callers without the right that a message requires', async () => {
    await refuses('UNAUTHORIZED', caller.rpc.call(MembersOnly, {}));
    expect(await caller.rpc.call(AdminsOnly, {}, { identity: admin })).toMatchObject({ sub: 'admin-1' });
    await refuses('FORBIDDEN', caller.rpc.call(AdminsOnly, {}, { identity: member }));
  });

  it('accepts a correctly signed token, even with the second configured key', async () => {
    for (const token of [signed({}), issuer(NEXT).tokenFor(member, 'events')])
      expect(await withToken(token)).toMatchObject({ sub: 'member-1' });
  });

  it.each([
    ['empty', () => ''],
    ['not a token', () => 'nonsense'],
    ['signed with an unknown key', () => issuer(UNKNOWN).tokenFor(member, 'events')],
    ['signed with an unknown key under a known key id', () => signed({}, UNKNOWN.identityPrivateKey)],
    ['signed with the public key as a secret', () => signed({}, publicText(), 'HS256')],
    ['meant for another service', () => issuer().tokenFor(member, 'auth')],
    ['expired', () => issuer(TEST_KEYS, new ShiftedClock(-TOKEN_LIFE - 1)).tokenFor(member, 'events')],
    ['without a signature', () => signed({}, '', 'none')],
    ['valid for longer than allowed', () => signed({ exp: seconds() + 2 * TOKEN_LIFE })],
    ['changed after signing', () => tampered(issuer().tokenFor(member, 'events'))],
  ])('rejects a token that is %s', async (_reason, token) => {
    await refuses('UNAUTHORIZED', withToken(token()));
    await refuses('UNAUTHORIZED', caller.rpc.call(Look, {}, { identityToken: token() || 'x' }));
  });

  it('caches a verified token and rejects it after its expiry', async () => {
    const clock = new ShiftedClock(0);
    useIdentityTokens('admin', new IdentityKeys(TEST_KEYS.identityPublicKeys), clock);
    const guard = new AccessGuard({ service: 'admin', access: 'member' });
    const token = issuer(TEST_KEYS, clock).tokenFor(member, 'admin');
    const send = async () => {
      const call = { token, identity: null };
      const switchTo = () => ({ getContext: () => call, getResponse: () => ({}) });
      await guard.canActivate({ switchToRpc: switchTo, switchToHttp: switchTo } as never);
      return call.identity;
    };
    expect(knownCaller('admin', token)).toBeUndefined();
    const identity = { ...member, adminSecondFactorRequired: false };
    expect(await send()).toEqual(identity);
    expect(knownCaller('admin', token)).toMatchObject({ identity });
    expect(knownCaller('admin', `${token}x`)).toBeUndefined();
    expect(await send()).toEqual(identity);
    clock.seconds += TOKEN_LIFE + 1;
    expect(knownCaller('admin', token)).toBeUndefined();
    await refuses('UNAUTHORIZED', send());
  });

  it('reuses a signed token for half of its lifetime', () => {
    const clock = new ShiftedClock(0);
    const tokens = issuer(TEST_KEYS, clock);
    const first = tokens.tokenFor(member, 'events');
    expect(tokens.tokenFor({ ...member }, 'events')).toBe(first);
    expect(tokens.tokenFor(member, 'auth')).not.toBe(first);
    expect(tokens.tokenFor({ ...member, epoch: 4 }, 'events')).not.toBe(first);
    clock.seconds += TOKEN_LIFE / 2;
    expect(tokens.tokenFor(member, 'events')).not.toBe(first);
  });
});

const seconds = () => Math.floor(Date.now() / 1_000);
const publicText = () => TEST_KEYS.identityPublicKeys[0] ?? '';

/** Returns a token like the gateway's, except for the given claims. */
function signed(
  claims: object,
  key = TEST_KEYS.identityPrivateKey,
  algorithm: 'ES256' | 'HS256' | 'none' = TOKEN_ALGORITHM,
): string {
  const secret = {
    ES256: () => new IdentityKey(key).key,
    // Uses the public key as an HMAC secret. Careless verifiers accept such a signature.
    HS256: () =>
      createPublicKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'spki' }).export({
        format: 'pem',
        type: 'spki',
      }),
    none: () => '',
  }[algorithm]();
  return new JwtService({ secretOrKeyProvider: () => secret }).sign(
    { ...member, aud: 'events', iss: 'meetmark', iat: seconds(), exp: seconds() + TOKEN_LIFE, ...claims },
    {
      algorithm,
      keyid: new IdentityKey(TEST_KEYS.identityPrivateKey).id,
      allowInvalidAsymmetricKeyTypes: true,
    },
  );
}

function tampered(token: string): string {
  const [header, payload, signature] = token.split('.');
  const claims = { ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()), isAdmin: true };
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}

it('confirmRight throws when the service has no database', async () => {
  for (const access of ['admin', 'organiser', 'manager'] as const)
    await expect(confirmRight('unknown' as 'auth', admin, { access, data: {} })).rejects.toThrow(
      `the service unknown has no database that confirms '${access}'`,
    );
});
