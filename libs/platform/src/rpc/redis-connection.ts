import { Redis, type RedisOptions } from 'ioredis';
import { withPatience } from './patience.js';
import { TRANSPORT } from './wire.js';

/** Capped and jittered, so that the processes do not all come back at the same instant. */
export function reconnectDelay(attempt: number): number {
  const delay = Math.min(TRANSPORT.reconnectFirst * 2 ** (attempt - 1), TRANSPORT.reconnectMax);
  return Math.round(delay * (0.5 + Math.random() / 2));
}

/** A connection that comes back for ever. Errors are told by its state ('close', 'ready'), not by exceptions. */
export function redisConnection(url: string, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: reconnectDelay,
    connectTimeout: TRANSPORT.silence,
    // a Redis that is loading its data answers the ready check; waiting its suggested time would be too long
    maxLoadingRetryTime: TRANSPORT.reconnectMax,
    ...options,
  });
  redis.on('error', () => undefined); // ioredis prints errors that nobody listens to; 'close' follows each of them
  redis.on('connect', () => giveUpUnlessReady(redis));
  return redis;
}

/** ioredis's connectTimeout ends with the TCP handshake; a peer that is silent after it would be waited for for ever. */
function giveUpUnlessReady(redis: Redis): void {
  const { stream } = redis;
  const timer = setTimeout(() => stream.destroy(), TRANSPORT.silence);
  const settled = () => {
    clearTimeout(timer);
    redis.off('ready', settled).off('close', settled);
  };
  redis.on('ready', settled).on('close', settled);
}

/** Connects, however long that takes: a first failure is retried like any later one. */
export async function connectForever(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const ready = new Promise<void>((resolve) => redis.once('ready', resolve));
  if (redis.status === 'wait') redis.connect().catch(() => undefined); // retryStrategy goes on trying
  await ready;
}

/**
 * Waits for an answer, and ends the connection when none comes within `ms`: a peer that vanished without closing (a pulled
 * cable, a frozen host) would otherwise be waited for for ever. ioredis's own socketTimeout outlives its socket and then
 * closes the next one.
 */
export function answerWithin<T>(redis: Redis, answer: Promise<T>, ms: number): Promise<T> {
  const { stream } = redis;
  return withPatience(answer, ms, () => stream?.destroy());
}

/**
 * Sends the commands that follow within this turn of the event loop as one packet: a write is the dearest part of a message.
 * ioredis's automatic pipelining does the like one turn later, and for more processor time (docs/adr/0001).
 */
export function sendTogether({ stream }: Redis): void {
  if (stream === undefined || stream.destroyed || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
