import type { ServiceName } from '@meetmark/contracts';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { rpcQueueLength, rpcReplicas } from '../operations/metrics.js';
import type { RedisClock } from './redis-clock.js';
import type { RedisNames } from './wire.js';

/** How many replicas of each service that is called here are alive, and how much they can take: a call is refused rather than queued in vain. */
export class ReplicaWatch {
  private readonly alive = new Map<ServiceName, number>();
  private readonly bounds = new Map<ServiceName, number>();
  private readonly logger = new Logger('Rpc');

  constructor(
    private readonly commands: Redis,
    private readonly names: RedisNames,
    private readonly clock: RedisClock,
    /** Told when the last replica of a service is gone. */
    private readonly onNone: (service: ServiceName) => void,
  ) {}

  /** undefined before the first look. */
  count(service: ServiceName): number | undefined {
    return this.alive.get(service);
  }

  /** Messages that may wait in its queue, as its replicas want it: Infinity unless they have too much to do. */
  bound(service: ServiceName): number {
    return this.bounds.get(service) ?? Infinity;
  }

  /** Looks at one more service, and from now on at it too. */
  async look(service: ServiceName): Promise<void> {
    const [alive, waiting, bound] = await Promise.all([
      this.commands.zcount(this.names.replicas(service), this.clock.now(), '+inf'),
      this.commands.llen(this.names.queue(service)),
      this.commands.get(this.names.bound(service)),
    ]);
    const before = this.alive.get(service);
    this.alive.set(service, alive);
    this.bounds.set(service, bound === null ? Infinity : Number(bound));
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
