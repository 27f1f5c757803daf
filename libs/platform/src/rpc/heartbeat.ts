import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@meetmark/contracts';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { rpcOldestWaiting, rpcQueueLength, rpcReplicas } from '../operations/metrics.js';
import type { RedisClock } from '../redis/clock.js';
import { answerWithin, attempt, REDIS } from '../redis/connection.js';
import type { RpcCipher } from './cipher.js';
import { redisNames, type RedisNames, TRANSPORT, type WireRequest } from './protocol.js';

interface HeartbeatOptions {
  service: ServiceName;
  prefix: string;
  clock: RedisClock;
  cipher: RpcCipher;
}

export class Heartbeat {
  readonly health = new ConsumerHealth();
  private readonly names;
  private readonly replica = randomUUID();
  private readonly logger = new Logger('Rpc');
  private readonly timers: NodeJS.Timeout[] = [];
  private left = false;

  constructor(
    private readonly options: HeartbeatOptions,
    private readonly commands: Redis,
    /** Connection that pulls requests. A replica without this connection counts as gone. */
    private readonly puller: Redis,
  ) {
    this.names = redisNames(options.prefix);
  }

  async begin(): Promise<void> {
    await this.join();
    if (this.left) return;
    this.commands.on('ready', () => void attempt(this.join(), this.logger));
    this.puller.on('ready', () => void attempt(this.heartbeat(), this.logger));
    this.every(TRANSPORT.heartbeat, () => this.heartbeat());
    this.every(TRANSPORT.look, () => this.look());
    this.every(TRANSPORT.clockResync, () => this.tidy());
  }

  end(): void {
    this.left = true;
    this.timers.forEach(clearInterval);
  }

  leave(): Promise<unknown> {
    return this.commands.zrem(this.names.replicas(this.options.service), this.replica);
  }

  private async join(): Promise<void> {
    await this.tidy();
    await this.heartbeat();
  }

  /**
   * Removes expired replicas from the live set. Callers ignore expired replicas, so this only saves memory.
   */
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

  private async look(): Promise<void> {
    const { commands } = this;
    if (commands.status !== 'ready') return this.health.reset();
    try {
      const measured = measureOldestWait(commands, this.options);
      await answerWithin(commands, measured, REDIS.silence);
    } catch (error) {
      // The error doesn't show whether Redis is running. If Redis doesn't answer PING either, a restart of
      // this process wouldn't help.
      const answers = await attempt(answerWithin(commands, commands.ping(), REDIS.silence), this.logger);
      if (!answers) this.health.reset();
      throw error;
    }
  }

  private every(ms: number, work: () => Promise<void>): void {
    this.timers.push(setInterval(() => void attempt(work(), this.logger), ms).unref());
  }
}

/** Maximum milliseconds without a completed pull while Redis answers. After that, only a restart helps. */
const STALLED_AFTER = 60_000;

/**
 * Measures the time since a pull last returned. Each pull returns within a second, even without a message.
 */
export class ConsumerHealth {
  private last: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.last = now();
  }

  recordPull(): void {
    this.last = this.now();
  }

  /** Call this if Redis doesn't answer at all, because a restart wouldn't help. */
  reset(): void {
    this.last = this.now();
  }

  get silentFor(): number {
    return this.now() - this.last;
  }

  get stalled(): boolean {
    return this.silentFor > STALLED_AFTER;
  }
}

export class ReplicaWatch {
  private readonly alive = new Map<ServiceName, number>();
  private readonly logger = new Logger('Rpc');

  constructor(
    private readonly commands: Redis,
    private readonly names: RedisNames,
    private readonly clock: RedisClock,
    private readonly onNone: (service: ServiceName) => void,
  ) {}

  count(service: ServiceName): number | undefined {
    return this.alive.get(service);
  }

  async look(service: ServiceName): Promise<void> {
    const [alive, waiting] = await Promise.all([
      this.commands.zcount(this.names.replicas(service), this.clock.now(), '+inf'),
      this.commands.llen(this.names.queue(service)),
    ]);
    const before = this.alive.get(service);
    this.alive.set(service, alive);
    rpcReplicas.set({ service }, alive);
    rpcQueueLength.set({ service }, waiting);
    if (before === undefined || alive === before) return;
    if (before === 0) this.logger.log(`${service} is available again, live replicas: ${alive}`);
    if (alive === 0) this.lost(service);
  }

  private lost(service: ServiceName): void {
    this.logger.warn(`No live replica of ${service}; rejecting calls`);
    this.onNone(service);
  }

  async lookAgain(): Promise<void> {
    await Promise.all([...this.alive.keys()].map((service) => this.look(service)));
  }
}

export async function measureOldestWait(
  redis: Redis,
  { service, prefix, clock, cipher }: HeartbeatOptions,
): Promise<void> {
  const queue = redisNames(prefix).queue(service);
  const head = await redis.lindexBuffer(queue, 0);
  const text = head === null ? undefined : cipher.decrypt(head, queue);
  const sent = text === undefined ? undefined : (JSON.parse(text) as Partial<WireRequest> | null)?.sent;
  const age = sent === undefined ? 0 : Math.max(0, clock.now() - sent);
  rpcOldestWaiting.set({ service }, age / 1_000);
}
