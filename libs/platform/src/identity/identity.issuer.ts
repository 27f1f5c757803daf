import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Identity, ServiceName } from '@meetmark/contracts';
import { BoundedMap } from '../caching/bounded-map.js';
import { RedisClock } from '../rpc/redis-clock.js';
import { IdentitySecrets } from './secrets.js';

export const TOKEN_ISSUER = 'meetmark';
export const TOKEN_ALGORITHM = 'HS256';
/** Seconds. */
export const TOKEN_LIFE = 60;
const CACHED_TOKENS = 10_000;

/** What an identity token says besides the registered claims. A token without `sub` speaks for a process or an anonymous caller. */
export interface TokenClaims {
  sub?: string;
  isAdmin?: boolean;
  epoch?: number;
  aud: ServiceName;
  iss: string;
  iat: number;
  exp: number;
}

/** Signs who the caller is, for one service and at most a minute. A token is used again for half its life. */
@Injectable()
export class IdentityIssuer {
  private readonly jwt: JwtService;
  private readonly cache = new BoundedMap<string, { token: string; renewAt: number }>(CACHED_TOKENS);

  constructor(
    private readonly secrets: IdentitySecrets,
    private readonly clock: RedisClock,
  ) {
    this.jwt = new JwtService({
      secretOrKeyProvider: () => secrets.signing.key,
      signOptions: { algorithm: TOKEN_ALGORITHM, keyid: secrets.signing.id },
    });
  }

  tokenFor(identity: Identity | null, audience: ServiceName): string {
    const now = Math.floor(this.clock.now() / 1_000);
    const name = `${audience} ${identity === null ? '' : `${identity.sub} ${identity.isAdmin} ${identity.epoch}`}`;
    const cached = this.cache.get(name);
    if (cached !== undefined && now < cached.renewAt) return cached.token;
    const claims: TokenClaims = {
      ...identity,
      aud: audience,
      iss: TOKEN_ISSUER,
      iat: now,
      exp: now + TOKEN_LIFE,
    };
    const token = this.jwt.sign(claims);
    this.cache.set(name, { token, renewAt: now + TOKEN_LIFE / 2 });
    return token;
  }
}
