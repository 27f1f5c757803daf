import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ServiceName } from '@meetmark/contracts';
import type { Redis } from 'ioredis';
import type { CallerName, MessageVerifier } from '../identity/message-signing.js';
import { rpcDropped, rpcRejected } from '../operations/metrics.js';
import { noteWork, type RedisClock, TICK, untilNext } from '../redis/clock.js';
import {
  answerWithin,
  attempt,
  connectForever,
  REDIS,
  redisConnection,
  sendTogether,
} from '../redis/connection.js';
import { type ConsumerHealth, Heartbeat } from './heartbeat.js';
import { redisNames, type RedisNames, TRANSPORT, type WireRequest } from './protocol.js';

export interface ConsumerOptions {
  service: ServiceName;
  redisUrl: string;
  prefix: string;
  /** Requests worked on at the same time. */
  concurrency: number;
  /** Requests taken at once. */
  batch: number;
  clock: RedisClock;
  verifier: MessageVerifier;
}

type Work = (request: WireRequest, sender: CallerName, timeLeft: number) => Promise<void>;

/** Takes requests from a service's queue, which is shared by all its replicas: each request goes to one of them. */
export class QueueConsumer {
  /** For everything but the blocking pull; keeps replies while Redis is away. */
  readonly commands: Redis;
  private readonly puller: Redis;
  private readonly heartbeat: Heartbeat;
  private readonly inFlight: InFlight;
  private readonly names: RedisNames;
  private readonly queue: string;
  private readonly logger = new Logger('Rpc');
  private pullerId = 0;
  /** When the pull began that waits, by performance.now(). */
  private pulling: number | undefined;
  private stopping = false;
  private started = false;
  private loop = Promise.resolve();
  private wakeUp: () => void = () => undefined;

  constructor(
    private readonly options: ConsumerOptions,
    private readonly work: Work,
  ) {
    this.names = redisNames(options.prefix);
    this.queue = this.names.queue(options.service);
    this.inFlight = new InFlight(options.concurrency);
    this.commands = redisConnection(options.redisUrl, { maxRetriesPerRequest: null });
    // an interrupted pull must fail instead of being sent again: the loop decides
    this.puller = redisConnection(options.redisUrl, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
    this.heartbeat = new Heartbeat(options, this.commands, this.puller, () => this.isQueueEmpty());
  }

  /** Waits for Redis without limit, then begins to work. */
  async start(): Promise<void> {
    this.puller.on('ready', () => this.learnPullerId());
    await Promise.all([connectForever(this.commands), connectForever(this.puller)]);
    if (this.stopping) return;
    await this.heartbeat.begin();
    this.started = true;
    this.loop = this.run();
  }

  get health(): ConsumerHealth {
    return this.heartbeat.health;
  }

  /** Connected, as far as is known. */
  get ready(): boolean {
    return (
      this.started && !this.stopping && this.commands.status === 'ready' && this.puller.status === 'ready'
    );
  }

  /** Takes no more work, finishes what it has, within TRANSPORT.drain. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.heartbeat.end();
    if (this.started && this.commands.status === 'ready') {
      // ends the waiting pull; what it had already received is worked on
      const unblock = this.commands.client('UNBLOCK', this.pullerId);
      const left = answerWithin(this.commands, Promise.all([this.heartbeat.leave(), unblock]), REDIS.silence);
      await attempt(left, this.logger);
    }
    this.inFlight.release();
    this.wakeUp();
    await this.loop;
    if (!(await this.inFlight.drained(TRANSPORT.drain)))
      this.logger.warn(`stopping with ${this.inFlight.count} requests unfinished`);
    this.commands.disconnect();
    this.puller.disconnect();
  }

  /** Whether no replica began anything with this id before. `until`, by Redis's clock, is when it expires anyway. */
  async isFirst(id: string, until: number): Promise<boolean> {
    const remembered = Math.max(0, Math.ceil(until - this.options.clock.now())) + TRANSPORT.seenMargin;
    sendTogether(this.commands);
    const key = this.names.seen(this.options.service, id);
    return (await this.commands.set(key, '', 'PX', remembered, 'NX')) === 'OK';
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const { room } = this.inFlight;
      if (room <= 0) await this.inFlight.waitForRoom();
      else for (const raw of await this.pull(Math.min(room, this.options.batch))) this.take(raw);
    }
  }

  private async pull(count: number): Promise<string[]> {
    try {
      const seconds = untilNext(TRANSPORT.pull, TRANSPORT.pullBeforeTick) / 1_000;
      this.pulling = performance.now();
      const pulled = this.puller.blmpop(seconds, 1, this.queue, 'LEFT', 'COUNT', count);
      const found = await answerWithin(this.puller, pulled, TRANSPORT.pull + REDIS.silence);
      this.health.recordPull();
      return found?.[1] ?? [];
    } catch (error) {
      if (!this.stopping) await this.waitForPuller(error);
      return [];
    } finally {
      this.pulling = undefined;
    }
  }

  /** A pull that waits says so without a question, unless it takes too long. */
  private isQueueEmpty(): boolean {
    return this.pulling !== undefined && performance.now() - this.pulling < TRANSPORT.pull + TICK / 2;
  }

  /** Resolves when another pull may succeed, or this replica stops. */
  private async waitForPuller(error: unknown): Promise<void> {
    const stopped = new Promise<void>((resolve) => (this.wakeUp = resolve));
    if (this.puller.status !== 'ready') return Promise.race([connectForever(this.puller), stopped]);
    // Redis answers, but with an error: loading, out of memory, a script that runs too long
    this.logger.warn({ err: error, msg: 'the queue could not be read' });
    return Promise.race([wait(REDIS.reconnectMax), stopped]);
  }

  private take(raw: string): void {
    noteWork();
    const opened = this.options.verifier.open(raw);
    if (opened === undefined) {
      rpcRejected.inc({ reason: 'unsigned' });
      this.logger.error('a message that none of our processes has signed was dropped');
      return;
    }
    const request = JSON.parse(opened.body) as WireRequest;
    const timeLeft = request.deadline - this.options.clock.now();
    if (!(timeLeft > 0)) {
      rpcDropped.inc({ message: request.pattern });
      return;
    }
    this.inFlight.begin(this.work(request, opened.caller, timeLeft));
  }

  private learnPullerId(): void {
    void attempt(
      this.puller.client('ID').then((id) => (this.pullerId = id)),
      this.logger,
    );
  }
}

/** Counts the work under way: how much more there is room for, and when all of it has ended. */
class InFlight {
  private active = 0;
  private roomMade: () => void = () => undefined;
  private emptied: () => void = () => undefined;

  constructor(private readonly limit: number) {}

  get count(): number {
    return this.active;
  }

  /** How many more may begin. */
  get room(): number {
    return this.limit - this.active;
  }

  begin(work: Promise<void>): void {
    this.active += 1;
    void work.finally(() => {
      this.active -= 1;
      this.roomMade();
      if (this.active === 0) this.emptied();
    });
  }

  /** Resolves when something has ended, or by release(). */
  waitForRoom(): Promise<void> {
    return new Promise((resolve) => (this.roomMade = resolve));
  }

  release(): void {
    this.roomMade();
  }

  /** False when something is still under way after `timeout` milliseconds. */
  drained(timeout: number): Promise<boolean> {
    if (this.active === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeout);
      this.emptied = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
