import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Identity, Message, ServiceName } from '@meetmark/contracts';
import { plainToInstance } from 'class-transformer';
import { BoundedMap } from '../caching/bounded-map.js';
import { RedisClock } from '../rpc/redis-clock.js';
import { digestOf } from './digest.js';
import { IdentityKey } from './keys.js';

export const TOKEN_ISSUER = 'meetmark';
export const TOKEN_ALGORITHM = 'ES256';
/** Seconds. */
export const TOKEN_LIFE = 60;
const CACHED_TOKENS = 10_000;

/** What a token says besides the registered claims. */
export interface TokenClaims {
  sub: string;
  isAdmin: boolean;
  epoch: number;
  aud: ServiceName;
  iss: string;
  iat: number;
  exp: number;
  /** Only in a grant: the one message that it is good for, once. */
  grant?: Grant;
}

export interface Grant {
  id: string;
  message: string;
  /** Of the message's data. */
  digest: string;
  requestId: string;
}

/** What a message brings with it to say who it is sent for. */
export interface Credentials {
  /** Absent when the message is sent for nobody. */
  token?: string;
  /** Tokens by message, for what the service may send on in the caller's name. */
  grants?: Record<string, string[]>;
}

export interface Sending {
  message: Message;
  request: object;
  identity: Identity | null;
  requestId: string;
}

/** Where a process has the credentials of its messages from: it makes them, or has been given them. */
export abstract class CredentialSource {
  abstract credentialsFor(sending: Sending): Credentials;
}

/**
 * Signs who the caller is, for one service and at most a minute. A token is used again for half its life; what a service may
 * send on in the caller's name is granted message by message.
 */
@Injectable()
export class IdentityIssuer extends CredentialSource {
  private readonly jwt: JwtService;
  private readonly cache = new BoundedMap<string, { token: string; renewAt: number }>(CACHED_TOKENS);

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

  credentialsFor({ message, request, identity, requestId }: Sending): Credentials {
    if (identity === null) return {};
    const token = this.tokenFor(identity, message.service);
    if (message.onward === undefined) return { token };
    // as the service will have it once it has validated it
    const received = plainToInstance(message.request, request);
    const grants: Record<string, string[]> = {};
    for (const { message: next, request: data } of message.onward(received, identity))
      (grants[next.name] ??= []).push(
        this.sign(identity, next.service, {
          id: randomUUID(),
          message: next.name,
          digest: digestOf(data),
          requestId,
        }),
      );
    return { token, grants };
  }

  tokenFor(identity: Identity, audience: ServiceName): string {
    const now = this.now();
    const name = `${audience} ${identity.sub} ${identity.isAdmin} ${identity.epoch}`;
    const cached = this.cache.get(name);
    if (cached !== undefined && now < cached.renewAt) return cached.token;
    const token = this.sign(identity, audience);
    this.cache.set(name, { token, renewAt: now + TOKEN_LIFE / 2 });
    return token;
  }

  private sign({ sub, isAdmin, epoch }: Identity, aud: ServiceName, grant?: Grant): string {
    const now = this.now();
    const registered = { aud, iss: TOKEN_ISSUER, iat: now, exp: now + TOKEN_LIFE };
    return this.jwt.sign({ sub, isAdmin, epoch, ...registered, grant } satisfies TokenClaims);
  }

  private now(): number {
    return Math.floor(this.clock.now() / 1_000);
  }
}
