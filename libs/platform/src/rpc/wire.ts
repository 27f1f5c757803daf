import type { ErrorCode, ErrorDetails, ServiceName } from '@meetmark/contracts';

/** A request as it stands in a service's queue. */
export interface WireRequest {
  id: string;
  pattern: string;
  data: unknown;
  /** Milliseconds since 1970 by Redis's clock. Absent in messages of older versions. */
  sent?: number;
  /** Milliseconds since 1970 by Redis's clock; whoever finds it passed drops the request. */
  deadline: number;
  /** The caller's reply channel; absent when no reply is wanted. */
  replyTo?: string;
  headers: WireHeaders;
}

export interface WireHeaders {
  requestId: string;
  traceparent?: string;
  /** The signed identity, for this service only. */
  token: string;
}

/** `blob` names a key that holds the real reply: large ones would overrun Redis's publish buffers. */
export interface WireReply {
  id: string;
  value?: unknown;
  error?: WireError;
  blob?: string;
}

export interface WireError {
  code: ErrorCode;
  details?: ErrorDetails;
}

/** Every Redis name of the transport; the ACL rules of the deployment follow it. */
export const redisNames = (prefix: string) => ({
  queue: (service: ServiceName) => `${prefix}:${service}`,
  replicas: (service: ServiceName) => `${prefix}:${service}:replicas`,
  bound: (service: ServiceName) => `${prefix}:${service}:bound`,
  replies: (client: string) => `${prefix}:replies:${client}`,
  blob: (id: string) => `${prefix}:blob:${id}`,
});
export type RedisNames = ReturnType<typeof redisNames>;

/** Milliseconds. */
export const TRANSPORT = {
  /**
   * A replica says this often that it lives, and counts as gone when it has not for `replicaLife`: with the time until the next
   * look no longer than a call lasts, so that whoever waited in vain for a killed one is not made to wait again.
   */
  heartbeat: 500,
  replicaLife: 2_500,
  /** Callers look for living replicas this often, replicas for how long messages wait. */
  look: 500,
  /** The longest single wait for work: bounds how long a dead connection can go unnoticed. */
  pull: 1_000,
  /** Silence after which a connection is taken for dead, on top of the time a command may take by itself. */
  silence: 1_500,
  clockResync: 30_000,
  reconnectFirst: 50,
  reconnectMax: 1_000,
  /** How long the reply to a large request waits to be fetched. */
  blobLife: 30_000,
  /** An event may wait this long for a replica. */
  event: 60_000,
  /** How long a stopping replica waits for its handlers. */
  drain: 6_000,
} as const;

/** Bytes above which a reply travels as a blob. */
export const BLOB_OVER = 256 * 1024;
