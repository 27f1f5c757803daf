import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Identity, ServiceName } from '@meetmark/contracts';
import { LRUCache } from 'lru-cache';
import { RedisClock } from '../redis/clock.js';
import { IdentityKey } from './keys.js';

export const TOKEN_ISSUER = 'meetmark';
export const TOKEN_ALGORITHM = 'ES256';
/** Seconds. */
export const TOKEN_LIFE = 60;
const CACHED_TOKENS = 10_000;

export interface TokenClaims {
  sub: string;
  isAdmin: boolean;
  isOrganiser?: boolean;
  adminSecondFactorRequired?: boolean;
  epoch: number;
  /** Milliseconds since 1970 by Redis's clock, because the clocks of hosts may differ. */
  confirmedAt?: number;
  aud: ServiceName;
  iss: string;
  iat: number;
  exp: number;
}

@Injectable()
export class IdentityIssuer {
  private readonly jwt: JwtService;
  private readonly cache = new LRUCache<string, { token: string; renewAt: number }>({ max: CACHED_TOKENS });

  constructor(
    key: IdentityKey,
    private readonly clock: RedisClock,
  ) {
    this.jwt = new JwtService({
      secretOrKeyProvider: () => key.key,
      signOptions: { algorithm: TOKEN_ALGORITHM, keyid: key.id },
    });
  }

  tokenFor(identity: Identity, audience: ServiceName): string {
    const now = this.now();
    const name = `${audience} ${identity.sub} ${identity.isAdmin} ${identity.isOrganiser} ${identity.epoch} ${identity.confirmedAt} ${identity.adminSecondFactorRequired}`;
    const cached = this.cache.get(name);
    if (cached !== undefined && now < cached.renewAt) return cached.token;
    const token = this.sign(identity, audience);
    this.cache.set(name, { token, renewAt: now + TOKEN_LIFE / 2 });
    return token;
  }

  private sign(identity: Identity, aud: ServiceName): string {
    const { confirmedAt: at, ...who } = identity;
    const now = this.now();
    const registered = { aud, iss: TOKEN_ISSUER, iat: now, exp: now + TOKEN_LIFE };
    const confirmedAt = at === undefined ? undefined : Math.round(at + this.clock.now() - Date.now());
    const claims: TokenClaims = { ...who, confirmedAt, ...registered };
    return this.jwt.sign(claims);
  }

  private now(): number {
    return Math.floor(this.clock.now() / 1_000);
  }
}
