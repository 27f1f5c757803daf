import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@meetmark/contracts';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Hearing } from './hearing.js';
import { measureAge } from './queue-age.js';
import { BOUND_LIFE, boundFor } from './queue-bound.js';
import type { RedisClock } from './redis-clock.js';
import { answerWithin } from './redis-connection.js';
import { redisNames, TRANSPORT } from './wire.js';

export interface PresenceOptions {
  service: ServiceName;
  prefix: string;
  clock: RedisClock;
}

/** Says again and again that a replica lives and takes work, looks whether it still hears of its queue, and for how long messages wait there. */
export class Presence {
  readonly hearing = new Hearing();
  private readonly names;
  private readonly replica = randomUUID();
  private readonly logger = new Logger('Rpc');
  private readonly timers: NodeJS.Timeout[] = [];
  private left = false;

  constructor(
    private readonly options: PresenceOptions,
    private readonly commands: Redis,
    /** Without it the replica takes no work, so it is not there. */
    private readonly puller: Redis,
  ) {
    this.names = redisNames(options.prefix);
  }

  /** From now on, also after every loss of the connection. */
  async begin(): Promise<void> {
    await this.join();
    if (this.left) return;
    this.commands.on('ready', () => this.attempt(this.join()));
    this.every(TRANSPORT.heartbeat, () => this.heartbeat());
    this.every(TRANSPORT.look, () => this.look());
    this.every(TRANSPORT.clockResync, () => this.options.clock.synchronise(this.commands));
  }

  /** Nothing is said any more. */
  end(): void {
    this.left = true;
    this.timers.forEach(clearInterval);
  }

  /** Takes back what was said. */
  leave(): Promise<unknown> {
    return this.commands.zrem(this.names.replicas(this.options.service), this.replica);
  }

  private async join(): Promise<void> {
    await this.options.clock.synchronise(this.commands);
    await this.heartbeat();
  }

  private async heartbeat(): Promise<void> {
    if (this.left || this.commands.status !== 'ready' || this.puller.status !== 'ready') return;
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
    if (!answers) return this.hearing.excuse();
    await this.tellBound(await measureAge(commands, this.names.queue(service), service, clock));
  }

  /** Callers refuse what would wait too long: early, and for less than it costs to let it run into its deadline. */
  private async tellBound(age: number): Promise<void> {
    const { service } = this.options;
    if (boundFor(0, age) === null) return;
    const bound = boundFor(await this.commands.llen(this.names.queue(service)), age);
    if (bound !== null) await this.commands.set(this.names.bound(service), bound, 'PX', BOUND_LIFE);
  }

  private every(ms: number, work: () => Promise<void>): void {
    this.timers.push(setInterval(() => void this.attempt(work()), ms));
  }

  /** What is repeated anyway. */
  private async attempt(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.logger.debug({ err: error, msg: 'Redis did not answer' }));
  }
}
