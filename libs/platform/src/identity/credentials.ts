import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Identity, Message, ServiceName } from '@meetmark/contracts';
import { LRUCache } from 'lru-cache';
import { RedisClock } from '../redis/clock.js';
import { IdentityKey } from './keys.js';
import type { Grant } from './passed-on-of-1.0.0.js';

export const TOKEN_ISSUER = 'meetmark';
export const TOKEN_ALGORITHM = 'ES256';
/** Seconds. */
export const TOKEN_LIFE = 60;
const CACHED_TOKENS = 10_000;

/** What a token says besides the registered claims. */
export interface TokenClaims {
  sub: string;
  isAdmin: boolean;
  isOrganiser?: boolean;
  epoch: number;
  /** Milliseconds by Redis's clock, since those of the hosts may differ. */
  confirmedAt?: number;
  aud: ServiceName;
  iss: string;
  iat: number;
  exp: number;
  /** Only in a token that a gateway of 1.0.0 gives admin for one message to another service. */
  grant?: Grant;
}

/** What a message carries to prove on whose behalf it is sent. */
export interface Credentials {
  /** Absent without a caller. */
  token?: string;
}

export interface Sending {
  message: Message;
  request: object;
  identity: Identity | null;
  requestId: string;
}

/** Where a process gets the credentials of its messages: it issues them, or received them. */
export abstract class CredentialSource {
  abstract credentialsFor(sending: Sending): Credentials;
}

/** Signs who the caller is, for one service and at most a minute. A token is reused for half its life. */
@Injectable()
export class IdentityIssuer extends CredentialSource {
  private readonly jwt: JwtService;
  private readonly cache = new LRUCache<string, { token: string; renewAt: number }>({ max: CACHED_TOKENS });

  constructor(
    key: IdentityKey,
    private readonly clock: RedisClock,
  ) {
    super();
    this.jwt = new JwtService({
      secretOrKeyProvider: () => key.key,
      signOptions: { algorithm: TOKEN_ALGORITHM, keyid: key.id },
    });
  }

  credentialsFor({ message, identity }: Sending): Credentials {
    return identity === null ? {} : { token: this.tokenFor(identity, message.service) };
  }

  tokenFor(identity: Identity, audience: ServiceName): string {
    const now = this.now();
    const name = `${audience} ${identity.sub} ${identity.isAdmin} ${identity.isOrganiser} ${identity.epoch} ${identity.confirmedAt}`;
    const cached = this.cache.get(name);
    if (cached !== undefined && now < cached.renewAt) return cached.token;
    const token = this.sign(identity, audience);
    this.cache.set(name, { token, renewAt: now + TOKEN_LIFE / 2 });
    return token;
  }

  protected sign(identity: Identity, aud: ServiceName, grant?: Grant): string {
    const { sub, isAdmin, isOrganiser, epoch, confirmedAt: at } = identity;
    const now = this.now();
    const registered = { aud, iss: TOKEN_ISSUER, iat: now, exp: now + TOKEN_LIFE };
    const confirmedAt = at === undefined ? undefined : Math.round(at + this.clock.now() - Date.now());
    const claims: TokenClaims = { sub, isAdmin, isOrganiser, epoch, confirmedAt, ...registered, grant };
    return this.jwt.sign(claims);
  }

  private now(): number {
    return Math.floor(this.clock.now() / 1_000);
  }
}
