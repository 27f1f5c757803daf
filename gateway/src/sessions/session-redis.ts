import { DEADLINES } from '@meetmark/contracts';
import { withPatience } from '@meetmark/platform/rpc/patience';
import { reconnectDelay } from '@meetmark/platform/rpc/redis-connection';
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

const client = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      reconnectStrategy: (attempt) => reconnectDelay(attempt + 1),
      connectTimeout: DEADLINES.redisCommand,
      // for a Redis that accepts and then says nothing. Every write puts it off: later silence is found out by our looks
      socketTimeout: 2 * DEADLINES.redisCommand,
    },
    scripts: { replaceUnless },
  });

/** A connection that comes back for ever. Commands fail at once while Redis is away, and within two seconds when it falls silent. */
export class SessionRedis {
  readonly client: ReturnType<typeof client>;
  private readonly looking: NodeJS.Timeout;

  constructor(
    url: string,
    private readonly logger: LoggerService,
  ) {
    this.client = client(url);
    this.client.on('error', (error: unknown) => this.note(error));
    this.connect();
    this.looking = setInterval(() => this.look(), LOOK);
  }

  close(): void {
    clearInterval(this.looking);
    this.client.destroy();
  }

  private connect(): void {
    this.client.connect().catch((error: unknown) => this.note(error)); // closed before Redis was there
  }

  private look(): void {
    if (!this.client.isReady) return;
    withPatience(this.client.ping(), DEADLINES.redisCommand, () => this.connectAnew()).catch(
      (error: unknown) => this.note(error),
    );
  }

  /** Every waiting command fails. */
  private connectAnew(): void {
    this.client.destroy();
    this.connect();
  }

  private note(error: unknown): void {
    this.logger.debug?.({ err: error, msg: 'Redis is away' });
  }
}
