import { Logger } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';

/** Milliseconds. */
export const REDIS = {
  /** Silence after which a connection counts as dead, on top of the time a command may take by itself. */
  silence: 1_500,
  reconnectFirst: 50,
  reconnectMax: 1_000,
} as const;

/** Capped and jittered, so that the processes do not all return at the same instant. */
export function reconnectDelay(attempt: number): number {
  const delay = Math.min(REDIS.reconnectFirst * 2 ** (attempt - 1), REDIS.reconnectMax);
  return Math.round(delay * (0.5 + Math.random() / 2));
}

/** A connection that reconnects without limit. Its state ('close', 'ready') shows errors; it throws none. */
export function redisConnection(url: string, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: reconnectDelay,
    connectTimeout: REDIS.silence,
    // a Redis that is loading its data answers the ready check; its suggested wait would be too long
    maxLoadingRetryTime: REDIS.reconnectMax,
    ...options,
  });
  redis.on('error', () => undefined); // ioredis prints unheard errors; 'close' follows each of them
  redis.on('connect', () => destroyUnlessReady(redis));
  return redis;
}

/** ioredis's connectTimeout ends with the TCP handshake; a peer that is silent after it would never be given up. */
function destroyUnlessReady(redis: Redis): void {
  const { stream } = redis;
  const timer = setTimeout(() => stream.destroy(), REDIS.silence);
  const settled = () => {
    clearTimeout(timer);
    redis.off('ready', settled).off('close', settled);
  };
  redis.on('ready', settled).on('close', settled);
}

const logger = new Logger('Redis');

/** Connects, retrying a first failure like any later one, which is logged once. */
export async function connectForever(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const ready = new Promise<void>((resolve) => redis.once('ready', resolve));
  if (redis.status === 'wait') {
    let cause: Error | undefined;
    redis.once('error', (error: Error) => (cause = error));
    redis.connect().catch((closed: Error) => {
      logger.warn({ err: cause ?? closed, msg: 'Redis cannot be reached yet: attempts go on until it can' });
    });
  }
  await ready; // retryStrategy continues
}

/**
 * Waits for a reply, and destroys the connection when none comes within `ms`: a peer that vanished without closing (a pulled
 * cable, a frozen host) would never answer. ioredis's own socketTimeout outlives its socket and then closes the next one.
 */
export function answerWithin<T>(redis: Redis, answer: Promise<T>, ms: number): Promise<T> {
  const { stream } = redis;
  return withTimeout(answer, ms, () => stream?.destroy());
}

/**
 * Sends the commands that follow within this turn of the event loop as one packet: a write is the most expensive part of a message.
 * ioredis's automatic pipelining does the same one turn later, and for more processor time (docs/adr/0001).
 */
export function sendTogether({ stream }: Redis): void {
  if (stream === undefined || stream.destroyed || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** For work that is repeated anyway: true on success; a failure is only logged. */
export const attempt = (work: Promise<unknown>, log: Logger): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      log.debug({ err: error, msg: 'Redis did not answer' });
      return false;
    },
  );

/** Waits for an answer without limit, and calls `onTimeout` once when it takes longer than `ms`. */
export async function withTimeout<T>(answer: Promise<T>, ms: number, onTimeout: () => void): Promise<T> {
  let unread: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // when this process itself stood still, the answer has arrived but is not read yet
    unread = setImmediate(onTimeout);
  }, ms);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    clearImmediate(unread);
  }
}
