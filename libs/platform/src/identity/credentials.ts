import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Identity, Message, ServiceName } from '@meetmark/contracts';
import { plainToInstance } from 'class-transformer';
import { LRUCache } from 'lru-cache';
import { currentCall } from '../call/call.js';
import { RedisClock } from '../redis/clock.js';
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
  isOrganiser?: boolean;
  epoch: number;
  /** Milliseconds by Redis's clock, since those of the hosts may differ. */
  confirmedAt?: number;
  aud: ServiceName;
  iss: string;
  iat: number;
  exp: number;
  /** Only in a grant: the one message that it is valid for, once. */
  grant?: Grant;
}

export interface Grant {
  id: string;
  message: string;
  /** The digest of the message's data. */
  digest: string;
  requestId: string;
}

/** What a message carries to prove on whose behalf it is sent. */
interface Credentials {
  /** Absent without a caller. */
  token?: string;
  /** Tokens by message, for what the service may send on behalf of the caller. */
  grants?: Record<string, string[]>;
}

interface Sending {
  message: Message;
  request: object;
  identity: Identity | null;
  requestId: string;
}

/** Where a process gets the credentials of its messages: it issues them, or received them. */
export abstract class CredentialSource {
  abstract credentialsFor(sending: Sending): Credentials;
}

/**
 * Signs who the caller is, for one service and at most a minute. A token is reused for half its life; what a service may send on
 * behalf of the caller is granted message by message.
 */
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

  credentialsFor({ message, request, identity, requestId }: Sending): Credentials {
    if (identity === null) return {};
    const token = this.tokenFor(identity, message.service);
    if (message.onward === undefined) return { token };
    // as the service sees it after validation
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
    const name = `${audience} ${identity.sub} ${identity.isAdmin} ${identity.isOrganiser} ${identity.epoch} ${identity.confirmedAt}`;
    const cached = this.cache.get(name);
    if (cached !== undefined && now < cached.renewAt) return cached.token;
    const token = this.sign(identity, audience);
    this.cache.set(name, { token, renewAt: now + TOKEN_LIFE / 2 });
    return token;
  }

  private sign(identity: Identity, aud: ServiceName, grant?: Grant): string {
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

/** For a service that sends messages on: it can sign nothing, and has only the grants of the message that it handles. */
@Injectable()
export class GrantedCredentials extends CredentialSource {
  credentialsFor({ message }: Sending): Credentials {
    const token = currentCall()?.grants?.[message.name]?.shift();
    if (token === undefined)
      throw new Error(`${message.name} was not granted: name it in 'onward' of the message that leads to it`);
    return { token };
  }
}

/** The digest of data as JSON carries it, independent of the order of its fields. */
export const digestOf = (data: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(JSON.parse(JSON.stringify(data)))))
    .digest('base64url');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
