import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ServiceName } from '@meetmark/contracts';
import type { Redis } from 'ioredis';
import { rpcDropped } from '../operations/metrics.js';
import type { RedisClock } from './redis-clock.js';
import { Hearing } from './hearing.js';
import { measureAge } from './queue-age.js';
import { answerWithin, connectForever, redisConnection } from './redis-connection.js';
import { redisNames, TRANSPORT, type WireRequest } from './wire.js';

export interface ConsumerOptions {
  service: ServiceName;
  redisUrl: string;
  prefix: string;
  /** Requests worked on at the same time. */
  concurrency: number;
  /** Requests taken at once. */
  batch: number;
  clock: RedisClock;
}

type Work = (request: WireRequest, timeLeft: number) => Promise<void>;

/**
 * Takes requests from a service's queue, which is shared by all its replicas: each request goes to one of them. Says every
 * second that this replica lives.
 */
export class QueueConsumer {
  /** For everything but the blocking pull; keeps replies while Redis is away. */
  readonly commands: Redis;
  readonly hearing = new Hearing();
  private readonly puller: Redis;
  private readonly names;
  private readonly replica = randomUUID();
  private readonly logger = new Logger('Rpc');
  private readonly timers: NodeJS.Timeout[] = [];
  private pullerId = 0;
  private active = 0;
  private stopping = false;
  private started = false;
  private loop = Promise.resolve();
  private slotFree: () => void = () => undefined;
  private wakeUp: () => void = () => undefined;
  private idle: () => void = () => undefined;

  constructor(
    private readonly options: ConsumerOptions,
    private readonly work: Work,
  ) {
    this.names = redisNames(options.prefix);
    this.commands = redisConnection(options.redisUrl, { maxRetriesPerRequest: null });
    // a pull that was cut off must fail, not be sent again: the loop decides
    this.puller = redisConnection(options.redisUrl, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
  }

  /** Waits for Redis however long it takes, then begins to work. */
  async start(): Promise<void> {
    this.puller.on('ready', () => this.learnPullerId());
    await Promise.all([connectForever(this.commands), connectForever(this.puller)]);
    if (this.stopping) return;
    await this.join();
    this.commands.on('ready', () => this.attempt(this.join()));
    this.every(TRANSPORT.heartbeat, () => this.heartbeat());
    this.every(TRANSPORT.heartbeat, () => this.look());
    this.every(TRANSPORT.clockResync, () => this.options.clock.synchronise(this.commands));
    this.started = true;
    this.loop = this.run();
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
    this.timers.forEach(clearInterval);
    if (this.started && this.commands.status === 'ready') {
      const leave = this.commands.zrem(this.names.replicas(this.options.service), this.replica);
      // ends the pull that is waiting; whatever it had already been given is worked on
      const unblock = this.commands.client('UNBLOCK', this.pullerId);
      await this.attempt(answerWithin(this.commands, Promise.all([leave, unblock]), TRANSPORT.silence));
    }
    this.slotFree();
    this.wakeUp();
    await this.loop;
    const drained = await this.drained();
    if (!drained) this.logger.warn(`stopping with ${this.active} requests unfinished`);
    this.commands.disconnect();
    this.puller.disconnect();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const free = this.options.concurrency - this.active;
      if (free <= 0) await new Promise<void>((resolve) => (this.slotFree = resolve));
      else for (const raw of await this.pull(Math.min(free, this.options.batch))) this.take(raw);
    }
  }

  private async pull(count: number): Promise<string[]> {
    const queue = this.names.queue(this.options.service);
    try {
      const seconds = TRANSPORT.pull / 1_000;
      const pulled = this.puller.blmpop(seconds, 1, queue, 'LEFT', 'COUNT', count);
      const found = await answerWithin(this.puller, pulled, TRANSPORT.pull + TRANSPORT.silence);
      this.hearing.heard();
      return found?.[1] ?? [];
    } catch (error) {
      if (!this.stopping) await this.pullerBack(error);
      return [];
    }
  }

  /** Waits until another pull may succeed, or this replica stops. */
  private async pullerBack(error: unknown): Promise<void> {
    const stopped = new Promise<void>((resolve) => (this.wakeUp = resolve));
    if (this.puller.status !== 'ready') return Promise.race([connectForever(this.puller), stopped]);
    // Redis answers, but with an error: loading, out of memory, a script that runs too long
    this.logger.warn({ err: error, msg: 'the queue could not be read' });
    return Promise.race([wait(TRANSPORT.reconnectMax), stopped]);
  }

  private take(raw: string): void {
    let request: WireRequest;
    try {
      request = JSON.parse(raw) as WireRequest;
    } catch (error) {
      this.logger.error({ err: error, msg: 'a request that is not JSON was dropped' });
      return;
    }
    const timeLeft = request.deadline - this.options.clock.now();
    if (!(timeLeft > 0)) {
      rpcDropped.inc({ message: request.pattern });
      return;
    }
    this.active += 1;
    void this.work(request, timeLeft).finally(() => {
      this.active -= 1;
      this.slotFree();
      if (this.active === 0) this.idle();
    });
  }

  private drained(): Promise<boolean> {
    if (this.active === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), TRANSPORT.drain);
      this.idle = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  private async join(): Promise<void> {
    await this.options.clock.synchronise(this.commands);
    await this.heartbeat();
  }

  private async heartbeat(): Promise<void> {
    if (this.stopping || this.commands.status !== 'ready' || this.puller.status !== 'ready') return;
    const now = this.options.clock.now();
    const replicas = this.names.replicas(this.options.service);
    const sent = Promise.all([
      this.commands.zadd(replicas, now + TRANSPORT.replicaLife, this.replica),
      this.commands.zremrangebyscore(replicas, '-inf', now),
    ]);
    await answerWithin(this.commands, sent, TRANSPORT.silence);
  }

  /** Whether Redis answers at all, and for how long messages wait. */
  private async look(): Promise<void> {
    const { commands } = this;
    const { service, clock } = this.options;
    const answers =
      commands.status === 'ready' &&
      (await answerWithin(commands, commands.ping(), TRANSPORT.silence).then(
        () => true,
        () => false,
      ));
    if (answers) await measureAge(commands, this.names.queue(service), service, clock);
    else this.hearing.excuse();
  }

  private learnPullerId(): void {
    void this.attempt(this.puller.client('ID').then((id) => (this.pullerId = id)));
  }

  private every(ms: number, work: () => Promise<void>): void {
    this.timers.push(setInterval(() => void this.attempt(work()), ms));
  }

  /** For what is repeated anyway when the connection comes back. */
  private async attempt(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.logger.debug({ err: error, msg: 'Redis did not answer' }));
  }
}
