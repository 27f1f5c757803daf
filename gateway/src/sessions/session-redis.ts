import { setTimeout as pause } from 'node:timers/promises';
import { DEADLINES } from '@meetmark/contracts';
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

const LOOK = DEADLINES.redisCommand / 2;

const makeClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      reconnectStrategy: (attempt) => reconnectDelay(attempt + 1),
      connectTimeout: DEADLINES.redisCommand,
      // No socketTimeout, because it would drop answers that arrived while this process was paused.
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
 * Reconnects forever. Commands fail immediately without Redis, and within two seconds if it doesn't answer.
 * Commands that can be repeated may take a second more, to use the next connection.
 */
export class SessionRedis {
  /** Replaced when Redis falls silent, because a client that is still connecting can't reconnect. */
  client: Client;
  readonly generation: RedisGeneration;
  private readonly looks: NodeJS.Timeout;
  private replacing: { done: Promise<void>; finish(): void } | undefined;

  constructor(
    private readonly url: string,
    private readonly logger: LoggerService,
  ) {
    this.generation = new RedisGeneration(
      () => this.client.sendCommand<string>(['INFO', ...ASK_GENERATION]),
      () =>
        this.logger.warn('Connected to another Redis; reading sessions from the database until it has them'),
    );
    this.client = this.connect();
    this.looks = setInterval(() => this.look(), LOOK).unref();
  }

  /** Runs an idempotent command. Repeats it with the next client if Redis falls silent. */
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
    clearInterval(this.looks);
    this.client.destroy();
  }

  private connect(): Client {
    const client = makeClient(this.url);
    client.on('error', (error: unknown) => this.note(error));
    client.on('connect', () => void this.giveUpUnlessReady(client));
    for (const loss of ['error', 'reconnecting', 'end'] as const)
      client.on(loss, () => client === this.client && this.generation.forget());
    client.on('ready', () => client === this.client && this.use());
    client.connect().catch((error: unknown) => this.note(error));
    return client;
  }

  private use(): void {
    this.replacing?.finish();
    this.replacing = undefined;
    this.look();
  }

  /** Replaces the client if Redis accepts its connection but doesn't answer. */
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

  /** Connects a new client. All waiting commands of the previous client fail. */
  private replace(client: Client): void {
    if (client !== this.client || !client.isOpen) return;
    this.generation.forget();
    this.replacing ??= pending();
    this.client = this.connect();
    client.destroy();
  }

  private note(error: unknown): void {
    this.logger.debug?.({ err: error, msg: 'Could not reach Redis' });
  }
}
