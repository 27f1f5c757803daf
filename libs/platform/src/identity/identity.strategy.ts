import { DomainError, type Identity, type ServiceName } from '@meetmark/contracts';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { Strategy, type StrategyOptionsWithRequest, type VerifiedCallback } from 'passport-jwt';
import type { RedisClock } from '../redis/clock.js';
import { TOKEN_ALGORITHM, TOKEN_ISSUER, TOKEN_LIFE, type TokenClaims } from './credentials.js';
import type { IdentityKeys } from './keys.js';
import type { Grant } from './passed-on-of-1.0.0.js';

const REMEMBERED_TOKENS = 10_000;

/** passport's name for the strategy that verifies the tokens meant for a service. */
export const identityStrategy = (service: ServiceName) => `identity:${service}`;

/** What passport reads: the header of a message that holds the token. */
export interface TokenBearer {
  token: string | undefined;
}

/** What passport returns. */
export interface VerifiedCaller {
  identity: Identity;
  /** Seconds since 1970 by Redis's clock. */
  expires: number;
  grant?: Grant;
}

/** Verified tokens by service, until they expire: all calls of half a minute carry the same one. */
const verified = new Map<ServiceName, { tokens: LRUCache<string, VerifiedCaller>; clock: RedisClock }>();

/** The caller of a token that was verified before and has not expired. */
export function knownCaller(service: ServiceName, token: string): VerifiedCaller | undefined {
  const { tokens, clock } = verified.get(service) ?? {};
  const known = tokens?.get(token);
  return known !== undefined && clock !== undefined && known.expires > clock.now() / 1_000
    ? known
    : undefined;
}

/** Registers the verification of a service's tokens: signature by any of the keys, issuer, the service as audience, age. */
export function useIdentityTokens(audience: ServiceName, keys: IdentityKeys, clock: RedisClock): void {
  const options: StrategyOptionsWithRequest = {
    jwtFromRequest: (request: unknown) => (request as TokenBearer).token ?? null,
    secretOrKeyProvider(_request: unknown, token: string, done) {
      const key = keys.get(keyId(token));
      if (key === undefined) done(new Error('unknown key'));
      // the typings know strings and buffers only, jsonwebtoken accepts key objects too
      else done(null, key as never);
    },
    audience,
    issuer: TOKEN_ISSUER,
    algorithms: [TOKEN_ALGORITHM],
    // checked against Redis's clock instead: the clocks of the hosts may differ
    ignoreExpiration: true,
    passReqToCallback: true,
  };
  const tokens = new LRUCache<string, VerifiedCaller>({ max: REMEMBERED_TOKENS });
  const strategy = new Strategy(
    options,
    ({ token }: TokenBearer, claims: TokenClaims, done: VerifiedCallback) => {
      if (!isAlive(claims, clock.now() / 1_000)) return done(new DomainError('UNAUTHORIZED'));
      const caller = callerOf(claims, clock.now() - Date.now());
      if (caller.grant === undefined) tokens.set(token!, caller); // a grant is used once
      done(null, caller);
    },
  );
  verified.set(audience, { tokens, clock });
  passport.use(identityStrategy(audience), strategy);
}

const isAlive = ({ iat, exp }: TokenClaims, now: number) => exp > now && exp - iat <= TOKEN_LIFE;

/**
 * Frozen: many calls share the identity.
 * @param ahead milliseconds that Redis's clock is ahead of this host's
 */
const callerOf = (
  { sub, isAdmin, isOrganiser, epoch, confirmedAt, exp, grant }: TokenClaims,
  ahead: number,
): VerifiedCaller => ({
  identity: Object.freeze({
    sub,
    isAdmin: isAdmin === true,
    isOrganiser: isOrganiser === true,
    epoch: Number(epoch),
    confirmedAt: confirmedAt === undefined ? undefined : Number(confirmedAt) - ahead,
  }),
  expires: exp,
  grant,
});

/** The key id in the token's header: only which key to try. */
function keyId(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(
      Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString(),
    );
    return (header as { kid?: string }).kid;
  } catch {
    return undefined; // not a token at all: no key fits
  }
}
