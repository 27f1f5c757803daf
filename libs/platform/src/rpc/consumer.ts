import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ServiceName } from '@meetmark/contracts';
import type { Redis } from 'ioredis';
import { rpcDropped, rpcRejected } from '../operations/metrics.js';
import type { RedisClock } from '../redis/clock.js';
import { answerWithin, attempt, connectForever, REDIS, redisConnection } from '../redis/connection.js';
import type { RpcCipher } from './cipher.js';
import { type ConsumerHealth, Heartbeat } from './heartbeat.js';
import { redisNames, TRANSPORT, type WireRequest } from './protocol.js';

export interface ConsumerOptions {
  service: ServiceName;
  redisUrl: string;
  prefix: string;
  concurrency: number;
  batch: number;
  clock: RedisClock;
  cipher: RpcCipher;
}

type Work = (request: WireRequest, timeLeft: number) => Promise<void>;

/** Reads a service's queue. All replicas share the queue, and each request goes to one replica. */
export class QueueConsumer {
  /** Connection for everything except the blocking pull. Queues replies while Redis is unreachable. */
  readonly commands: Redis;
  private readonly puller: Redis;
  private readonly heartbeat: Heartbeat;
  private readonly inFlight: InFlight;
  private readonly queue: string;
  private readonly logger = new Logger('Rpc');
  private pullerId = 0;
  private stopping = false;
  private started = false;
  private loop = Promise.resolve();
  private wakeUp: () => void = () => undefined;

  constructor(
    private readonly options: ConsumerOptions,
    private readonly work: Work,
  ) {
    this.queue = redisNames(options.prefix).queue(options.service);
    this.inFlight = new InFlight(options.concurrency);
    this.commands = redisConnection(options.redisUrl, { maxRetriesPerRequest: null });
    // ioredis must not repeat an interrupted pull, because run() repeats it.
    this.puller = redisConnection(options.redisUrl, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
    this.heartbeat = new Heartbeat(options, this.commands, this.puller);
  }

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

  get ready(): boolean {
    return (
      this.started && !this.stopping && this.commands.status === 'ready' && this.puller.status === 'ready'
    );
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.heartbeat.end();
    if (this.started && this.commands.status === 'ready') {
      // Ends the blocking pull. Requests that were already received are still handled.
      const unblock = this.commands.client('UNBLOCK', this.pullerId);
      const left = answerWithin(this.commands, Promise.all([this.heartbeat.leave(), unblock]), REDIS.silence);
      await attempt(left, this.logger);
    }
    this.inFlight.release();
    this.wakeUp();
    await this.loop;
    if (!(await this.inFlight.drained(TRANSPORT.drain)))
      this.logger.warn(`Stopping with ${this.inFlight.count} unfinished requests`);
    this.commands.disconnect();
    this.puller.disconnect();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const { room } = this.inFlight;
      if (room <= 0) await this.inFlight.waitForRoom();
      else for (const raw of await this.pull(Math.min(room, this.options.batch))) this.take(raw);
    }
  }

  private async pull(count: number): Promise<Buffer[]> {
    try {
      const seconds = TRANSPORT.pull / 1_000;
      const pulled = this.puller.blmpopBuffer(seconds, 1, this.queue, 'LEFT', 'COUNT', count);
      const found = await answerWithin(this.puller, pulled, TRANSPORT.pull + REDIS.silence);
      this.health.recordPull();
      return found?.[1] ?? [];
    } catch (error) {
      if (!this.stopping) await this.waitForPuller(error);
      return [];
    }
  }

  private async waitForPuller(error: unknown): Promise<void> {
    const stopped = new Promise<void>((resolve) => (this.wakeUp = resolve));
    if (this.puller.status !== 'ready') return Promise.race([connectForever(this.puller), stopped]);
    // Redis answered with an error: it is loading, out of memory, or running a slow script.
    this.logger.warn({ err: error, msg: 'Could not read the queue' });
    return Promise.race([wait(REDIS.reconnectMax), stopped]);
  }

  private take(raw: Buffer): void {
    const text = this.options.cipher.decrypt(raw, this.queue);
    if (text === undefined) {
      rpcRejected.inc({ reason: 'undecryptable' });
      return this.logger.error('Dropped a message that no secret in RPC_SECRETS decrypts');
    }
    const request = readRequest(text);
    if (request === undefined) return this.logger.error('Dropped a message that is no request');
    const timeLeft = request.deadline - this.options.clock.now();
    if (!(timeLeft > 0)) {
      rpcDropped.inc({ message: request.pattern });
      return;
    }
    this.inFlight.begin(this.work(request, timeLeft));
  }

  private learnPullerId(): void {
    void attempt(
      this.puller.client('ID').then((id) => (this.pullerId = id)),
      this.logger,
    );
  }
}

function readRequest(text: string): WireRequest | undefined {
  const request = JSON.parse(text) as WireRequest | null;
  return request?.headers === undefined ? undefined : request;
}

class InFlight {
  private active = 0;
  private roomMade: () => void = () => undefined;
  private emptied: () => void = () => undefined;

  constructor(private readonly limit: number) {}

  get count(): number {
    return this.active;
  }

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

  waitForRoom(): Promise<void> {
    return new Promise((resolve) => (this.roomMade = resolve));
  }

  release(): void {
    this.roomMade();
  }

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
