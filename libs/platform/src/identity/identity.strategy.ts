import { DomainError, type Identity, type ServiceName } from '@meetmark/contracts';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { Strategy, type StrategyOptionsWithRequest, type VerifiedCallback } from 'passport-jwt';
import type { RedisClock } from '../redis/clock.js';
import { TOKEN_ALGORITHM, TOKEN_ISSUER, TOKEN_LIFE, type TokenClaims } from './credentials.js';
import type { IdentityKeys } from './keys.js';

const REMEMBERED_TOKENS = 10_000;

export const identityStrategy = (service: ServiceName) => `identity:${service}`;

export interface TokenBearer {
  token: string | undefined;
}

export interface VerifiedCaller {
  identity: Identity;
  /** Seconds since 1970 by Redis's clock. */
  expires: number;
}

const verified = new Map<ServiceName, { tokens: LRUCache<string, VerifiedCaller>; clock: RedisClock }>();

export function knownCaller(service: ServiceName, token: string): VerifiedCaller | undefined {
  const { tokens, clock } = verified.get(service) ?? {};
  const known = tokens?.get(token);
  return known !== undefined && clock !== undefined && known.expires > clock.now() / 1_000
    ? known
    : undefined;
}

export function useIdentityTokens(audience: ServiceName, keys: IdentityKeys, clock: RedisClock): void {
  const options: StrategyOptionsWithRequest = {
    jwtFromRequest: (request: unknown) => (request as TokenBearer).token ?? null,
    secretOrKeyProvider(_request: unknown, token: string, done) {
      const key = keys.get(keyId(token));
      if (key === undefined) done(new Error('unknown key'));
      // The type definitions don't allow a KeyObject, but jsonwebtoken does.
      else done(null, key as never);
    },
    audience,
    issuer: TOKEN_ISSUER,
    algorithms: [TOKEN_ALGORITHM],
    // The expiry is checked below by Redis's clock, because the clocks of hosts may differ.
    ignoreExpiration: true,
    passReqToCallback: true,
  };
  const tokens = new LRUCache<string, VerifiedCaller>({ max: REMEMBERED_TOKENS });
  const strategy = new Strategy(
    options,
    ({ token }: TokenBearer, claims: TokenClaims, done: VerifiedCallback) => {
      if (!isAlive(claims, clock.now() / 1_000)) return done(new DomainError('UNAUTHORIZED'));
      const caller = toCaller(claims, clock.now() - Date.now());
      tokens.set(token!, caller);
      done(null, caller);
    },
  );
  verified.set(audience, { tokens, clock });
  passport.use(identityStrategy(audience), strategy);
}

const isAlive = ({ iat, exp }: TokenClaims, now: number) => exp > now && exp - iat <= TOKEN_LIFE;

/**
 * The identity is frozen, because many calls share it.
 * @param ahead milliseconds by which Redis's clock is ahead of this host's
 */
const toCaller = (
  { sub, isAdmin, isOrganiser, adminSecondFactorRequired, epoch, confirmedAt, exp }: TokenClaims,
  ahead: number,
): VerifiedCaller => ({
  identity: Object.freeze({
    sub,
    isAdmin: isAdmin === true,
    isOrganiser: isOrganiser === true,
    adminSecondFactorRequired: adminSecondFactorRequired === true,
    epoch: Number(epoch),
    confirmedAt: confirmedAt === undefined ? undefined : Number(confirmedAt) - ahead,
  }),
  expires: exp,
});

/** Returns the key id of an unverified token. Use it only to select the key. */
function keyId(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(
      Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString(),
    );
    return (header as { kid?: string }).kid;
  } catch {
    return undefined;
  }
}
