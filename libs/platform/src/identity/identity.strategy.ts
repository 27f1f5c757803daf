import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { DomainError, type Identity, type ServiceName } from '@meetmark/contracts';
import { Strategy } from 'passport-jwt';
import type { RedisClock } from '../rpc/redis-clock.js';
import { TOKEN_ALGORITHM, TOKEN_ISSUER, TOKEN_LIFE, type TokenClaims } from './identity.issuer.js';
import type { IdentitySecrets } from './secrets.js';

export const IDENTITY_STRATEGY = 'identity';

/** What passport reads: the one header of a message that matters to it. */
export interface TokenBearer {
  token: string | undefined;
}

/** What passport gives back. An object, because passport takes a bare null for a failure. */
export interface VerifiedCaller {
  identity: Identity | null;
}

/** Verifies the identity token of each message: signature by any of the secrets, issuer, this service as audience, age. */
@Injectable()
export class IdentityStrategy extends PassportStrategy(Strategy, IDENTITY_STRATEGY) {
  constructor(
    audience: ServiceName,
    secrets: IdentitySecrets,
    private readonly clock: RedisClock,
  ) {
    super({
      jwtFromRequest: (request: unknown) => (request as TokenBearer).token ?? null,
      secretOrKeyProvider: (
        _request: unknown,
        token: string,
        done: (error: unknown, key?: never) => void,
      ) => {
        const key = secrets.verifying(keyId(token));
        // the typings know strings and buffers only, jsonwebtoken takes key objects as well
        if (key === undefined) done(new Error('unknown key'));
        else done(null, key as never);
      },
      audience,
      issuer: TOKEN_ISSUER,
      algorithms: [TOKEN_ALGORITHM],
      // age is judged below, by Redis's clock: the hosts' clocks may differ
      ignoreExpiration: true,
    });
  }

  validate(claims: TokenClaims): VerifiedCaller {
    const now = this.clock.now() / 1_000;
    if (!(claims.exp > now && claims.exp - claims.iat <= TOKEN_LIFE)) throw new DomainError('UNAUTHORIZED');
    if (claims.sub === undefined) return { identity: null };
    return { identity: { sub: claims.sub, isAdmin: claims.isAdmin === true, epoch: Number(claims.epoch) } };
  }
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
