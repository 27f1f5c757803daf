import { Logger } from '@nestjs/common';
import { DEADLINES } from '@meetmark/contracts';
import type { Redis } from 'ioredis';
import pTimeout from 'p-timeout';
import type { RedisClock } from '../redis/clock.js';
import { answerWithin, attempt, connectForever, REDIS, redisConnection } from '../redis/connection.js';
import { refusals, TRANSPORT } from './protocol.js';

interface RpcConnectionOptions {
  redisUrl: string;
  replyChannels: string[];
  clock: RedisClock;
}

interface ConnectionListener {
  onReply(channel: string, bytes: Buffer): void;
  /** Called when both connections are open. Calls are accepted once the promise resolves. */
  onReady(): Promise<void>;
  onLost(): void;
  onLook(): Promise<void>;
}

export class RpcConnection {
  readonly commands: Redis;
  private readonly replies: Redis;
  private readonly logger = new Logger('Rpc');
  private readonly timers: NodeJS.Timeout[] = [];
  private opening?: Promise<void>;
  private opened = false;
  private preparing = false;
  private usable = false;
  private closed = false;

  constructor(
    private readonly options: RpcConnectionOptions,
    private readonly listener: ConnectionListener,
  ) {
    const immediate = { enableOfflineQueue: false, maxRetriesPerRequest: 0 };
    this.commands = redisConnection(options.redisUrl, immediate);
    this.replies = redisConnection(options.redisUrl, { ...immediate, autoResubscribe: false });
    this.replies.on('messageBuffer', (channel: Buffer, bytes: Buffer) =>
      this.listener.onReply(channel.toString(), bytes),
    );
    for (const redis of [this.commands, this.replies]) {
      redis.on('close', () => this.lose());
      redis.on('ready', () => void this.prepare());
    }
  }

  get ready(): boolean {
    return this.usable;
  }

  open(): Promise<void> {
    return (this.opening ??= this.connect());
  }

  /** @throws DomainError SERVICE_UNAVAILABLE after a second, or immediately if a connection was lost */
  async waitUntilUsable(): Promise<void> {
    if (this.usable) return;
    if (this.opened || this.closed) throw refusals.noRedis();
    await pTimeout(this.open(), { milliseconds: DEADLINES.redisCommand, message: refusals.noRedis() });
  }

  close(): void {
    this.closed = true;
    this.lose();
    this.timers.forEach(clearInterval);
    this.commands.disconnect();
    this.replies.disconnect();
  }

  private async connect(): Promise<void> {
    const first = new Promise<void>((resolve) => (this.firstReady = resolve));
    await Promise.all([connectForever(this.commands), connectForever(this.replies)]);
    this.timers.push(
      setInterval(() => void (this.usable ? this.check() : this.prepare()), TRANSPORT.look).unref(),
      setInterval(() => void attempt(this.synchronise(), this.logger), TRANSPORT.clockResync).unref(),
    );
    await first;
  }
  private firstReady: () => void = () => undefined;

  private async prepare(): Promise<void> {
    const connected = () => this.commands.status === 'ready' && this.replies.status === 'ready';
    if (this.preparing || this.usable || this.closed || !connected()) return;
    this.preparing = true;
    const prepared = await attempt(
      Promise.all([
        answerWithin(this.replies, this.replies.subscribe(...this.options.replyChannels), REDIS.silence),
        this.synchronise(),
        this.listener.onReady(),
      ]),
      this.logger,
    );
    this.preparing = false;
    if (!prepared || !connected() || this.closed) return;
    this.usable = this.opened = true;
    this.firstReady();
  }

  /** Destroys a connection that doesn't answer. Its 'close' event then reports the loss. */
  private async check(): Promise<void> {
    await attempt(
      Promise.all([
        answerWithin(this.replies, this.replies.ping(), REDIS.silence),
        answerWithin(this.commands, this.listener.onLook(), REDIS.silence),
      ]),
      this.logger,
    );
  }

  private synchronise(): Promise<void> {
    return answerWithin(this.commands, this.options.clock.synchronise(this.commands), REDIS.silence);
  }

  private lose(): void {
    if (!this.usable) return;
    this.usable = false;
    if (!this.closed) this.logger.warn('Lost the connection to Redis');
    this.listener.onLost();
  }
}
