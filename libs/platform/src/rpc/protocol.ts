import { DomainError, type ErrorCode, type ErrorDetails, type ServiceName } from '@meetmark/contracts';

export interface WireRequest {
  /** Random UUID that only the caller and the service know. The reply must contain it. */
  nonce: string;
  pattern: string;
  data: unknown;
  /** Milliseconds since 1970 by Redis's clock. */
  sent: number;
  /** Milliseconds since 1970 by Redis's clock. */
  deadline: number;
  replyTo: string;
  headers: WireHeaders;
}

export interface WireHeaders {
  requestId: string;
  traceparent?: string;
  token?: string;
}

/**
 * If `blob` is true, the reply is stored under a key of its own, because publishing a large reply would
 * exceed Redis's buffers.
 */
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

/**
 * The rules in config/redis/users.acl must match these names. The names for replies contain the service's
 * name, so that a service can only answer its own calls.
 */
export const redisNames = (prefix: string) => ({
  queue: (service: ServiceName) => `${prefix}:${service}`,
  replicas: (service: ServiceName) => `${prefix}:${service}:replicas`,
  replies: (service: ServiceName, client: string) => `${prefix}:replies:gateway:${service}:${client}`,
  blob: (service: ServiceName, nonce: string) => `${prefix}:blob:gateway:${service}:${nonce}`,
});
export type RedisNames = ReturnType<typeof redisNames>;

/** Milliseconds. */
export const TRANSPORT = {
  /**
   * Interval of heartbeats. A replica counts as gone `replicaLife` after its last heartbeat. `replicaLife` is
   * shorter than a call's timeout, so that a repeated call doesn't wait for a killed replica again.
   */
  heartbeat: 500,
  replicaLife: 2_500,
  /**
   * Interval at which callers count the live replicas. Replicas also measure the age of the oldest message
   * then.
   */
  look: 500,
  /** Timeout of a blocking pull. A longer timeout would detect dead connections later. */
  pull: 1_000,
  clockResync: 30_000,
  blobLife: 30_000,
  /** Maximum time that a stopping replica waits for its handlers. */
  drain: 6_000,
} as const;

/** Replies with more characters are stored as a blob. */
export const BLOB_OVER = 256 * 1024;

const RETRY_AFTER = 1;

/**
 * After `not-started`, a caller can repeat any call. After `unknown`, it can repeat only an idempotent call.
 */
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
