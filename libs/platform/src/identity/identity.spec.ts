import 'reflect-metadata';
import { createSecretKey } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import type { Identity } from '@meetmark/contracts';
import { testRedisUrl } from '@meetmark/testing';
import { RedisClock } from '../rpc/redis-clock.js';
import {
  openCaller,
  openTestService,
  ownPrefix,
  SECRETS,
  testConfig,
  type OpenedService,
  type TestCaller,
} from '../testing/open-service.js';
import { AdminsOnly, Look, MembersOnly, sampleMessages } from '../testing/sample.messages.js';
import { SampleModule } from '../testing/sample.service.js';
import { AccessGuard } from './access.guard.js';
import { IdentityIssuer, TOKEN_LIFE } from './identity.issuer.js';
import { knownCaller, useIdentityTokens } from './identity.strategy.js';
import { IdentitySecrets } from './secrets.js';

const member: Identity = { sub: 'member-1', isAdmin: false, epoch: 3 };
const admin: Identity = { sub: 'admin-1', isAdmin: true, epoch: 0 };
const NEW_SECRET = 'the-secret-that-comes-next-and-is-long';
const OTHER_SECRET = 'a-secret-that-nobody-here-knows-at-all';

/** A clock that is ahead (or behind) by `seconds`. */
class ShiftedClock extends RedisClock {
  constructor(public seconds: number) {
    super();
  }
  override now(): number {
    return super.now() + this.seconds * 1_000;
  }
}

const issuer = (secrets: string[], clock = new RedisClock()) =>
  new IdentityIssuer(new IdentitySecrets(secrets), clock);

describe('the identity on a message', () => {
  let service: OpenedService;
  let caller: TestCaller;

  beforeAll(async () => {
    const config = testConfig({
      redisUrl: await testRedisUrl(),
      rpcPrefix: ownPrefix(),
      identitySecrets: [...SECRETS, NEW_SECRET],
    });
    service = await openTestService('events', SampleModule, sampleMessages, config);
    caller = await openCaller(config);
  });
  afterAll(async () => {
    caller.close();
    await service.stop();
  });

  const withToken = (identityToken: string) => caller.rpc.call(MembersOnly, {}, { identityToken });

  it('reaches the handler', async () => {
    await expect(caller.rpc.call(MembersOnly, {}, { identity: member })).resolves.toMatchObject({
      sub: 'member-1',
    });
  });

  it('lets nobody who is not signed in send a message for members', async () => {
    await expect(caller.rpc.call(MembersOnly, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('lets only administrators send a message for administrators', async () => {
    await expect(caller.rpc.call(AdminsOnly, {}, { identity: admin })).resolves.toMatchObject({
      sub: 'admin-1',
    });
    await expect(caller.rpc.call(AdminsOnly, {}, { identity: member })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('is nobody when a process acts for itself', async () => {
    await expect(caller.rpc.call(Look, {})).resolves.toMatchObject({ sub: null });
  });

  it('is accepted under each of the secrets, so that they can be rotated', async () => {
    await expect(withToken(issuer([NEW_SECRET]).tokenFor(member, 'events'))).resolves.toMatchObject({
      sub: 'member-1',
    });
  });

  it.each([
    ['absent', () => ''],
    ['not a token', () => 'nonsense'],
    ['signed with an unknown secret', () => issuer([OTHER_SECRET]).tokenFor(member, 'events')],
    ['meant for another service', () => issuer(SECRETS).tokenFor(member, 'auth')],
    ['expired', () => issuer(SECRETS, new ShiftedClock(-TOKEN_LIFE - 1)).tokenFor(member, 'events')],
    ['without a signature', unsigned],
    ['signed for longer than tokens live', longLived],
    ['changed after it was signed', () => tampered(issuer(SECRETS).tokenFor(member, 'events'))],
  ])('is refused when it is %s', async (_reason, token) => {
    await expect(withToken(token())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(caller.rpc.call(Look, {}, { identityToken: token() || 'x' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('is verified once, and refused all the same when its life is over', async () => {
    const clock = new ShiftedClock(0);
    const secrets = new IdentitySecrets(SECRETS);
    useIdentityTokens('admin', secrets, clock);
    const guard = new AccessGuard({ service: 'admin', access: 'member' });
    const token = new IdentityIssuer(secrets, clock).tokenFor(member, 'admin');
    const send = async () => {
      const call = { token, identity: null };
      const switchTo = () => ({ getContext: () => call, getResponse: () => ({}) });
      await guard.canActivate({ switchToRpc: switchTo, switchToHttp: switchTo } as never);
      return call.identity;
    };
    expect(knownCaller('admin', token)).toBeUndefined();
    expect(await send()).toEqual(member);
    expect(knownCaller('admin', token)).toEqual({ identity: member });
    expect(knownCaller('admin', `${token}x`)).toBeUndefined();
    expect(await send()).toEqual(member);
    clock.seconds += TOKEN_LIFE + 1;
    expect(knownCaller('admin', token)).toBeUndefined();
    await expect(send()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is signed again only when half its life is over', () => {
    const clock = new ShiftedClock(0);
    const tokens = issuer(SECRETS, clock);
    const first = tokens.tokenFor(member, 'events');
    expect(tokens.tokenFor({ ...member }, 'events')).toBe(first);
    expect(tokens.tokenFor(member, 'auth')).not.toBe(first);
    expect(tokens.tokenFor({ ...member, epoch: 4 }, 'events')).not.toBe(first);
    clock.seconds += TOKEN_LIFE / 2;
    expect(tokens.tokenFor(member, 'events')).not.toBe(first);
  });
});

function signed(claims: object, algorithm: 'HS256' | 'none'): string {
  const { id } = new IdentitySecrets(SECRETS).signing;
  const key = algorithm === 'none' ? '' : createSecretKey(Buffer.from(SECRETS[0] ?? ''));
  return new JwtService({ secretOrKeyProvider: () => key }).sign(
    { sub: 'member-1', aud: 'events', iss: 'meetmark', ...claims },
    { algorithm, keyid: id },
  );
}

const seconds = () => Math.floor(Date.now() / 1_000);
function unsigned(): string {
  return signed({ iat: seconds(), exp: seconds() + TOKEN_LIFE }, 'none');
}
function longLived(): string {
  return signed({ iat: seconds(), exp: seconds() + 2 * TOKEN_LIFE }, 'HS256');
}

function tampered(token: string): string {
  const [header, payload, signature] = token.split('.');
  const claims = { ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()), isAdmin: true };
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}
