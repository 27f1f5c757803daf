import { Logger } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';

/** Milliseconds. */
export const REDIS = {
  /**
   * A connection counts as dead after this time without an answer. Blocking commands add their own timeout.
   */
  silence: 1_500,
  reconnectFirst: 50,
  reconnectMax: 1_000,
} as const;

/**
 * Returns the milliseconds before a reconnect. They are random, so that processes don't all reconnect
 * together.
 */
export function reconnectDelay(attempt: number): number {
  const delay = Math.min(REDIS.reconnectFirst * 2 ** (attempt - 1), REDIS.reconnectMax);
  return Math.round(delay * (0.5 + Math.random() / 2));
}

/**
 * Creates a connection that reconnects forever. Connection errors aren't thrown: listen to the events 'close'
 * and 'ready' instead.
 */
export function redisConnection(url: string, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: reconnectDelay,
    connectTimeout: REDIS.silence,
    // Redis suggests a longer wait than necessary while it loads its data.
    maxLoadingRetryTime: REDIS.reconnectMax,
    ...options,
  });
  redis.on('error', () => undefined); // Without a listener, ioredis prints errors. A 'close' event follows each error.
  redis.on('connect', () => destroyUnlessReady(redis));
  return redis;
}

/** ioredis's connectTimeout covers only the TCP handshake, not the first answer. */
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

export async function connectForever(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const ready = new Promise<void>((resolve) => redis.once('ready', resolve));
  if (redis.status === 'wait') {
    let cause: Error | undefined;
    redis.once('error', (error: Error) => (cause = error));
    redis.connect().catch((closed: Error) => {
      logger.warn({ err: cause ?? closed, msg: 'Cannot reach Redis yet; still trying' });
    });
  }
  await ready;
}

/**
 * Destroys the connection if there is no answer within `ms` milliseconds. A server that vanished (cut cable,
 * frozen host) never replies. Don't use ioredis's socketTimeout for this, because it can close the next
 * connection instead.
 */
export function answerWithin<T>(redis: Redis, answer: Promise<T>, ms: number): Promise<T> {
  const { stream } = redis;
  return withTimeout(answer, ms, () => stream?.destroy());
}

/**
 * Sends all further commands of this event-loop turn together. ioredis's automatic pipelining is slower
 * (docs/adr/0001).
 */
export function sendTogether({ stream }: Redis): void {
  if (stream === undefined || stream.destroyed || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Returns false instead of throwing. Use it for work that is repeated anyway. */
export const attempt = (work: Promise<unknown>, log: Logger): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      log.debug({ err: error, msg: 'Redis did not respond' });
      return false;
    },
  );

/** Waits without limit, but calls `onTimeout` once after `ms` milliseconds. */
export async function withTimeout<T>(answer: Promise<T>, ms: number, onTimeout: () => void): Promise<T> {
  let unread: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // If this process was suspended, the answer may have arrived without being read yet.
    unread = setImmediate(onTimeout);
  }, ms);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    clearImmediate(unread);
  }
}
