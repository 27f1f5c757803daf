import { setTimeout as pause } from 'node:timers/promises';
import { DEADLINES } from '@meetmark/contracts';
import { onTicks } from '@meetmark/platform/redis/clock';
import { reconnectDelay, withTimeout } from '@meetmark/platform/redis/connection';
import { ASK_GENERATION, RedisGeneration } from '@meetmark/platform/redis/generation';
import type { LoggerService } from '@nestjs/common';
import { createClient, defineScript, type CommandParser } from 'redis';

const REPLACE_UNLESS = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1`;

const replaceUnless = defineScript({
  SCRIPT: REPLACE_UNLESS,
  NUMBER_OF_KEYS: 1,
  IS_READ_ONLY: false,
  parseCommand(parser: CommandParser, key: string, forbidden: string, value: string, lifetime: number) {
    parser.pushKey(key);
    parser.push(forbidden, value, String(lifetime));
  },
  transformReply: (reply: unknown) => reply as number,
});

/** Milliseconds between two looks whether Redis still answers. */
const LOOK = DEADLINES.redisCommand / 2;

const makeClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      reconnectStrategy: (attempt) => reconnectDelay(attempt + 1),
      connectTimeout: DEADLINES.redisCommand,
      // no socketTimeout: after a pause of this process its timer would end the connection before the answers that came are read
    },
    scripts: { replaceUnless },
  });
type Client = ReturnType<typeof makeClient>;

function pending() {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { done, finish };
}

/**
 * A connection that comes back for ever. Commands fail at once while Redis is away, and within two seconds when it falls silent; those
 * that may be repeated have a second more, since the next connection is often there within milliseconds.
 */
export class SessionRedis {
  /** Another one after each silence: one that is still being connected cannot be connected anew. */
  client: Client;
  /** The generation of the Redis that `client` is connected to. */
  readonly generation: RedisGeneration;
  private readonly stopLooking: () => void;
  /** Set from the silence of one client until the next one is ready. */
  private replacing: { done: Promise<void>; finish(): void } | undefined;

  constructor(
    private readonly url: string,
    private readonly logger: LoggerService,
  ) {
    this.generation = new RedisGeneration(
      () => this.client.sendCommand<string>(['INFO', ...ASK_GENERATION]),
      () => this.logger.warn('Redis is another one than before: sessions are read from the database again'),
    );
    this.client = this.connect();
    this.stopLooking = onTicks(LOOK, () => this.look());
  }

  /** Sends a command that may be sent twice: if its client is given up for its silence, the command waits for the next one. */
  async repeatable<T>(command: () => Promise<T>): Promise<T> {
    const { client } = this;
    if (this.replacing === undefined) {
      try {
        return await command();
      } catch (error) {
        if (client === this.client) throw error;
      }
    }
    await Promise.race([this.replacing?.done, pause(DEADLINES.redisCommand, undefined, { ref: false })]);
    return command();
  }

  close(): void {
    this.stopLooking();
    this.client.destroy();
  }

  private connect(): Client {
    const client = makeClient(this.url);
    client.on('error', (error: unknown) => this.note(error));
    client.on('connect', () => void this.giveUpUnlessReady(client));
    for (const loss of ['error', 'reconnecting', 'end'] as const)
      client.on(loss, () => client === this.client && this.generation.forget());
    client.on('ready', () => client === this.client && this.use());
    client.connect().catch((error: unknown) => this.note(error)); // closed before Redis was there
    return client;
  }

  private use(): void {
    this.replacing?.finish();
    this.replacing = undefined;
    this.look();
  }

  /** Gives up the client of a Redis that accepts connections and then says nothing. */
  private async giveUpUnlessReady(client: Client): Promise<void> {
    const settled = new Promise<void>((resolve) => {
      client.once('ready', resolve).once('error', () => resolve());
    });
    await withTimeout(settled, DEADLINES.redisCommand, () => this.replace(client));
  }

  private look(): void {
    const { client } = this;
    if (!client.isReady) return;
    withTimeout(this.generation.learn(), DEADLINES.redisCommand, () => this.replace(client)).catch(
      (error: unknown) => this.note(error),
    );
  }

  /** Every command that waits there fails. */
  private replace(client: Client): void {
    if (client !== this.client || !client.isOpen) return;
    this.generation.forget();
    this.replacing ??= pending();
    this.client = this.connect();
    client.destroy();
  }

  private note(error: unknown): void {
    this.logger.debug?.({ err: error, msg: 'Redis is away' });
  }
}
