import { randomFillSync } from 'node:crypto';
import { DomainError, type ErrorCode, type ErrorDetails, type ServiceName } from '@meetmark/contracts';
import type { CallerName } from '../identity/message-signing.js';

/** A request as it stands in a service's queue, after its signature (identity/message-signing.ts). */
export interface WireRequest {
  /** 128 random bits that only the caller and the service know: a reply has to carry them. */
  nonce: string;
  pattern: string;
  data: unknown;
  /** Milliseconds since 1970 by Redis's clock. Absent in messages of older versions. */
  sent?: number;
  /** Milliseconds since 1970 by Redis's clock; a replica drops the request after it. */
  deadline: number;
  /** The replica of the caller that waits for the reply; absent for an event. */
  replyTo?: string;
  headers: WireHeaders;
}

export interface WireHeaders {
  requestId: string;
  traceparent?: string;
  /** The signed identity, for this service only; absent without a caller. */
  token?: string;
  /** Tokens by message, for what admin passes on in the caller's name; of gateways of 1.0.0 (identity/passed-on-of-1.0.0.ts). */
  grants?: Record<string, string[]>;
}

/** With `blob` the real reply stands under a key of its own: large ones would exceed Redis's publish buffers. */
export interface WireReply {
  nonce: string;
  value?: unknown;
  error?: WireError;
  blob?: true;
}

interface WireError {
  code: ErrorCode;
  details?: ErrorDetails;
}

const NONCE_BYTES = 16;
const nonces = Buffer.alloc(NONCE_BYTES * 256);
let used = nonces.length;

/** Drawn many at once, as randomUUID() does: drawing costs more than all the rest of a message that does not change with its size. */
export function newNonce(): string {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  return nonces.toString('base64url', used, (used += NONCE_BYTES));
}

/**
 * Every Redis name of the transport; the ACL rules of the deployment follow it. Names of replies and blobs contain caller and service:
 * a process can receive only replies to its own calls, and answer only calls to itself.
 */
export const redisNames = (prefix: string) => ({
  queue: (service: ServiceName) => `${prefix}:${service}`,
  replicas: (service: ServiceName) => `${prefix}:${service}:replicas`,
  /** Set when a message begins, for as long as a copy of it could still begin. */
  seen: (service: ServiceName, id: string) => `${prefix}:${service}:seen:${id}`,
  replies: (caller: CallerName, service: ServiceName, client: string) =>
    `${prefix}:replies:${caller}:${service}:${client}`,
  blob: (caller: CallerName, service: ServiceName, nonce: string) =>
    `${prefix}:blob:${caller}:${service}:${nonce}`,
});
export type RedisNames = ReturnType<typeof redisNames>;

/** Milliseconds. */
export const TRANSPORT = {
  /**
   * A replica renews its entry this often, and counts as gone after `replicaLife` without it. Together with the time until a caller
   * looks again that is no longer than a call lasts: a caller that waited in vain for a killed replica does not wait a second time.
   * An idle one renews it half as often, and an idle caller looks half as often, and at once before it asks again.
   */
  heartbeat: 500,
  replicaLife: 2_500,
  /** Callers look up living replicas this often, replicas how long messages wait. */
  look: 500,
  /** The longest single wait for work: bounds how long a dead connection can go unnoticed. */
  pull: 1_000,
  /** A pull ends this long before a tick, whose heartbeat wakes Redis anyway. */
  pullBeforeTick: 5,
  clockResync: 30_000,
  /** How long a begun message is remembered beyond its deadline: the clocks of replicas differ by less. */
  seenMargin: 5_000,
  /** How long the reply to a large request waits to be fetched. */
  blobLife: 30_000,
  /** How long a stopping replica waits for its handlers. */
  drain: 6_000,
} as const;

/** Bytes above which a reply travels as a blob. */
export const BLOB_OVER = 256 * 1024;

const RETRY_AFTER = 1;

/** The transport's own refusals. A caller may repeat `not-started` safely, `unknown` only if repeating is harmless. */
export const refusals = {
  noRedis: (cause?: unknown) => unavailable('not-started', cause),
  noReplica: () => unavailable('not-started'),
  connectionLost: (cause?: unknown) => unavailable('unknown', cause),
  replyLost: () => unavailable('unknown'),
  queueFull: () => new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started', retryAfter: RETRY_AFTER }),
  tooLate: (outcome: 'not-started' | 'unknown') =>
    new DomainError('DEADLINE_EXCEEDED', { outcome, retryAfter: RETRY_AFTER }),
};

function unavailable(outcome: 'not-started' | 'unknown', cause?: unknown): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', { outcome, retryAfter: RETRY_AFTER }, { cause });
}
