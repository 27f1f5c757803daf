import { DomainError, type Identity, type ServiceName } from '@meetmark/contracts';
import passport from 'passport';
import { Strategy, type StrategyOptionsWithoutRequest } from 'passport-jwt';
import type { RedisClock } from '../rpc/redis-clock.js';
import { TOKEN_ALGORITHM, TOKEN_ISSUER, TOKEN_LIFE, type TokenClaims } from './identity.issuer.js';
import type { IdentitySecrets } from './secrets.js';

/** passport's name for the strategy that verifies the tokens meant for a service. */
export const identityStrategy = (service: ServiceName) => `identity:${service}`;

/** What passport reads: the one header of a message that matters to it. */
export interface TokenBearer {
  token: string | undefined;
}

/** What passport gives back. An object, because passport takes a bare null for a failure. */
export interface VerifiedCaller {
  identity: Identity | null;
}

/** Has passport verify the tokens of a service: signature by any of the secrets, issuer, the service as audience, age. */
export function useIdentityTokens(audience: ServiceName, secrets: IdentitySecrets, clock: RedisClock): void {
  const options: StrategyOptionsWithoutRequest = {
    jwtFromRequest: (request: unknown) => (request as TokenBearer).token ?? null,
    secretOrKeyProvider(_request: unknown, token: string, done) {
      const key = secrets.verifying(keyId(token));
      if (key === undefined) done(new Error('unknown key'));
      // the typings know strings and buffers only, jsonwebtoken takes key objects as well
      else done(null, key as never);
    },
    audience,
    issuer: TOKEN_ISSUER,
    algorithms: [TOKEN_ALGORITHM],
    // age is judged by Redis's clock instead: the clocks of the hosts may differ
    ignoreExpiration: true,
  };
  const strategy = new Strategy(options, (claims: TokenClaims, done) => {
    if (isAlive(claims, clock.now() / 1_000)) done(null, callerOf(claims));
    else done(new DomainError('UNAUTHORIZED'));
  });
  passport.use(identityStrategy(audience), strategy);
}

const isAlive = ({ iat, exp }: TokenClaims, now: number) => exp > now && exp - iat <= TOKEN_LIFE;

function callerOf({ sub, isAdmin, epoch }: TokenClaims): VerifiedCaller {
  if (sub === undefined) return { identity: null };
  return { identity: { sub, isAdmin: isAdmin === true, epoch: Number(epoch) } };
}

/** The id in the token's header; says which key to try, nothing more. */
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
