import { randomBytes } from 'node:crypto';
import type { ErrorCode, ErrorDetails, ServiceName } from '@meetmark/contracts';
import type { CallerName } from './message-keys.js';

/** A request as it stands in a service's queue, after the code that its caller signs it with (message-keys.ts). */
export interface WireRequest {
  /** 128 bits of chance, which only the caller and the service know: an answer has to carry it. */
  nonce: string;
  pattern: string;
  data: unknown;
  /** Milliseconds since 1970 by Redis's clock. Absent in messages of older versions. */
  sent?: number;
  /** Milliseconds since 1970 by Redis's clock; whoever finds it passed drops the request. */
  deadline: number;
  /** Which of the caller's replicas waits for the reply; absent when none is wanted. */
  replyTo?: string;
  headers: WireHeaders;
}

export interface WireHeaders {
  requestId: string;
  traceparent?: string;
  /** The signed identity, for this service only; absent when the message is sent for nobody. */
  token?: string;
  /** Tokens by message, for what this service may send on in the caller's name. */
  grants?: Record<string, string[]>;
}

/** With `blob` the real reply stands under a key of its own: large ones would overrun Redis's publish buffers. */
export interface WireReply {
  nonce: string;
  value?: unknown;
  error?: WireError;
  blob?: true;
}

export interface WireError {
  code: ErrorCode;
  details?: ErrorDetails;
}

const NONCE_BYTES = 16;
export const newNonce = (): string => randomBytes(NONCE_BYTES).toString('base64url');

/**
 * Every Redis name of the transport; the ACL rules of the deployment follow it. Replies and blobs name who asked and who answers: a
 * process may hear only what it asked for, and answer only what it was asked.
 */
export const redisNames = (prefix: string) => ({
  queue: (service: ServiceName) => `${prefix}:${service}`,
  replicas: (service: ServiceName) => `${prefix}:${service}:replicas`,
  bound: (service: ServiceName) => `${prefix}:${service}:bound`,
  /** Stands there once a message was begun, as long as a second one like it could still be. */
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
  /** How much longer than a message can be begun it is remembered as begun: clocks of replicas differ by less. */
  seenMargin: 5_000,
  /** How long the reply to a large request waits to be fetched. */
  blobLife: 30_000,
  /** An event may wait this long for a replica. */
  event: 60_000,
  /** How long a stopping replica waits for its handlers. */
  drain: 6_000,
} as const;

/** Bytes above which a reply travels as a blob. */
export const BLOB_OVER = 256 * 1024;
