import { Logger } from '@nestjs/common';
import { DEADLINES } from '@meetmark/contracts';
import type { Redis } from 'ioredis';
import pTimeout from 'p-timeout';
import { IDLE_TICK, onTicks, type RedisClock } from '../redis/clock.js';
import { answerWithin, attempt, connectForever, REDIS, redisConnection } from '../redis/connection.js';
import { refusals, TRANSPORT } from './protocol.js';

interface RpcConnectionOptions {
  redisUrl: string;
  replyChannels: string[];
  clock: RedisClock;
}

interface ConnectionListener {
  onReply(channel: string, text: string): void;
  /** Both connections are up; calls are accepted once this resolves. */
  onReady(): Promise<void>;
  onLost(): void;
  /** Every TRANSPORT.look while connected, every IDLE_TICK while nothing is asked. */
  onLook(): Promise<void>;
}

/** The caller's two connections to Redis, one for commands and one for replies. Usable only while both are up. */
export class RpcConnection {
  readonly commands: Redis;
  private readonly replies: Redis;
  private readonly logger = new Logger('Rpc');
  private readonly stops: (() => void)[] = [];
  private stopPreparing: (() => void) | undefined;
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
    this.replies.on('message', (channel: string, text: string) => this.listener.onReply(channel, text));
    for (const redis of [this.commands, this.replies]) {
      redis.on('close', () => this.lose());
      redis.on('ready', () => void this.prepare());
    }
  }

  get ready(): boolean {
    return this.usable;
  }

  /** Connects, retrying without limit; resolves on the first success. */
  open(): Promise<void> {
    return (this.opening ??= this.connect());
  }

  /** @throws DomainError SERVICE_UNAVAILABLE at once after a lost connection, after a second before the first one */
  async waitUntilUsable(): Promise<void> {
    if (this.usable) return;
    if (this.opened || this.closed) throw refusals.noRedis();
    await pTimeout(this.open(), { milliseconds: DEADLINES.redisCommand, message: refusals.noRedis() });
  }

  close(): void {
    this.closed = true;
    this.lose();
    this.stops.forEach((stop) => stop());
    this.stopPreparing?.();
    this.commands.disconnect();
    this.replies.disconnect();
  }

  private async connect(): Promise<void> {
    const first = new Promise<void>((resolve) => (this.firstReady = resolve));
    await Promise.all([connectForever(this.commands), connectForever(this.replies)]);
    this.stops.push(
      onTicks(TRANSPORT.look, () => this.usable && void this.check(), IDLE_TICK),
      onTicks(TRANSPORT.clockResync, () => void attempt(this.synchronise(), this.logger)),
    );
    if (!this.usable) this.prepareAtTicks();
    await first;
  }
  private firstReady: () => void = () => undefined;

  /** Also while it is idle: that a connection is usable again is not to be noticed later for it. */
  private prepareAtTicks(): void {
    this.stopPreparing ??= onTicks(TRANSPORT.look, () => void this.prepare());
  }

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
    if (!prepared || !connected() || this.closed) return; // the next look tries again
    this.usable = this.opened = true;
    this.stopPreparing?.();
    this.stopPreparing = undefined;
    this.firstReady();
  }

  /** Finds a silent connection: one that does not answer is destroyed, which then counts as lost. */
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
    this.prepareAtTicks();
    if (!this.closed) this.logger.warn('the connection to Redis was lost');
    this.listener.onLost();
  }
}
