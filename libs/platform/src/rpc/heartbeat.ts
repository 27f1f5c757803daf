import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@meetmark/contracts';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { bodyOf } from '../identity/message-signing.js';
import { rpcOldestWaiting, rpcQueueLength, rpcReplicas } from '../operations/metrics.js';
import { IDLE_TICK, onTicks, type RedisClock, TICK } from '../redis/clock.js';
import { answerWithin, attempt, REDIS } from '../redis/connection.js';
import { redisNames, type RedisNames, TRANSPORT, type WireRequest } from './protocol.js';

interface HeartbeatOptions {
  service: ServiceName;
  prefix: string;
  clock: RedisClock;
}

/** A replica's sign of life: keeps it in the set of living replicas, and checks that its pulls return. */
export class Heartbeat {
  readonly health = new ConsumerHealth();
  private readonly names;
  private readonly replica = randomUUID();
  private readonly logger = new Logger('Rpc');
  private readonly stops: (() => void)[] = [];
  private left = false;

  constructor(
    private readonly options: HeartbeatOptions,
    private readonly commands: Redis,
    /** Without it the replica takes no work, so it counts as gone. */
    private readonly puller: Redis,
    private readonly isQueueEmpty: () => boolean,
  ) {
    this.names = redisNames(options.prefix);
  }

  /** Starts the heartbeat, and resumes it after every loss of the connection. */
  async begin(): Promise<void> {
    await this.join();
    if (this.left) return;
    this.commands.on('ready', () => void attempt(this.join(), this.logger));
    this.puller.on('ready', () => void attempt(this.heartbeat(), this.logger));
    this.every(TRANSPORT.heartbeat, () => this.heartbeat(), IDLE_TICK);
    this.every(TRANSPORT.look, () => this.look(), IDLE_TICK);
    this.every(TRANSPORT.clockResync, () => this.tidy());
  }

  /** Stops the heartbeat. */
  end(): void {
    this.left = true;
    this.stops.forEach((stop) => stop());
  }

  /** Removes this replica from the set. */
  leave(): Promise<unknown> {
    return this.commands.zrem(this.names.replicas(this.options.service), this.replica);
  }

  private async join(): Promise<void> {
    await this.tidy();
    await this.heartbeat();
  }

  /** Takes out who has left without a word: callers count only entries that have not run out. */
  private async tidy(): Promise<void> {
    const { clock, service } = this.options;
    await clock.synchronise(this.commands);
    await this.commands.zremrangebyscore(this.names.replicas(service), '-inf', clock.now());
  }

  private async heartbeat(): Promise<void> {
    if (this.left || this.commands.status !== 'ready' || this.puller.status !== 'ready') return;
    const { clock, service } = this.options;
    const until = clock.now() + TRANSPORT.replicaLife;
    const sent = this.commands.zadd(this.names.replicas(service), until, this.replica);
    await answerWithin(this.commands, sent, REDIS.silence);
  }

  /** For how long messages wait, and whether Redis answers at all. */
  private async look(): Promise<void> {
    const { commands } = this;
    const { service, clock } = this.options;
    if (commands.status !== 'ready') return this.health.reset();
    if (this.isQueueEmpty()) return rpcOldestWaiting.set({ service }, 0);
    try {
      const measured = measureOldestWait(commands, this.names.queue(service), service, clock);
      await answerWithin(commands, measured, REDIS.silence);
    } catch (error) {
      // one that refuses the question answers; one that is silent would be no better after a restart of this process
      const answers = await attempt(answerWithin(commands, commands.ping(), REDIS.silence), this.logger);
      if (!answers) this.health.reset();
      throw error;
    }
  }

  private every(ms: number, work: () => Promise<void>, whenIdle = ms): void {
    this.stops.push(onTicks(ms, () => void attempt(work(), this.logger), whenIdle));
  }
}

/** Milliseconds without a completed pull, while Redis answers everything else, after which only a restart helps. */
const STALLED_AFTER = 60_000;

/** Whether a consumer still receives from its queue. A pull returns every second, with work or without. */
export class ConsumerHealth {
  private last: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.last = now();
  }

  recordPull(): void {
    this.last = this.now();
  }

  /** Redis answers nothing at all: a restart would not help either. */
  reset(): void {
    this.last = this.now();
  }

  /** Milliseconds. */
  get silentFor(): number {
    return this.now() - this.last;
  }

  get stalled(): boolean {
    return this.silentFor > STALLED_AFTER;
  }
}

/** Milliseconds: looks of a caller that is not idle are no further apart. */
const RECENT = TRANSPORT.look + TICK / 2;

/** The caller's view of the heartbeats: living replicas of each service that it calls, and how many messages wait there. */
export class ReplicaWatch {
  private readonly alive = new Map<ServiceName, number>();
  /** When the last look ended, by performance.now(). */
  private readonly looked = new Map<ServiceName, number>();
  private readonly logger = new Logger('Rpc');

  constructor(
    private readonly commands: Redis,
    private readonly names: RedisNames,
    private readonly clock: RedisClock,
    /** Called when the last replica of a service is gone. */
    private readonly onNone: (service: ServiceName) => void,
  ) {}

  /** undefined before the first look, and when a look that found none is not recent: one may have come since. */
  count(service: ServiceName): number | undefined {
    const alive = this.alive.get(service);
    if (alive !== 0) return alive;
    return performance.now() - (this.looked.get(service) ?? -Infinity) > RECENT ? undefined : 0;
  }

  /** Refreshes the view of one service, which lookAgain() then includes. */
  async look(service: ServiceName): Promise<void> {
    const [alive, waiting] = await Promise.all([
      this.commands.zcount(this.names.replicas(service), this.clock.now(), '+inf'),
      this.commands.llen(this.names.queue(service)),
    ]);
    const before = this.alive.get(service);
    this.alive.set(service, alive);
    this.looked.set(service, performance.now());
    rpcReplicas.set({ service }, alive);
    rpcQueueLength.set({ service }, waiting);
    if (before === undefined || alive === before) return;
    if (before === 0) this.logger.log(`${service} is there, replicas: ${alive}`);
    if (alive === 0) this.lost(service);
  }

  private lost(service: ServiceName): void {
    this.logger.warn(`${service} has no replica that lives: calls are refused`);
    this.onNone(service);
  }

  async lookAgain(): Promise<void> {
    await Promise.all([...this.alive.keys()].map((service) => this.look(service)));
  }
}

/** Milliseconds that the message at the head of a queue has been waiting; 0 for an empty queue. */
export async function measureOldestWait(
  redis: Redis,
  queue: string,
  service: ServiceName,
  clock: RedisClock,
): Promise<number> {
  const head = await redis.lindex(queue, 0);
  const sent = head === null ? undefined : (JSON.parse(bodyOf(head)) as Partial<WireRequest>).sent;
  const age = sent === undefined ? 0 : Math.max(0, clock.now() - sent);
  rpcOldestWaiting.set({ service }, age / 1_000);
  return age;
}
