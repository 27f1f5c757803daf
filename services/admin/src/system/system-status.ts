import {
  DEADLINES,
  DomainError,
  type ProcessStatus,
  type QueueStatus,
  SYSTEM_KEYS,
  type SystemStatus,
} from '@meetmark/contracts';
import { RedisClock, RpcClient, ServiceConfig } from '@meetmark/platform';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SettingsService } from '../settings/settings.service.js';
import { ChecklistRepository } from './checklist.repository.js';
import { MailsRepository } from './mails.repository.js';

/** What worker and gateway, which have no message queue, report about themselves in Redis. */
@Injectable()
export class WorkerStatus implements OnApplicationShutdown {
  private readonly redis;

  constructor(
    config: ServiceConfig,
    private readonly clock: RedisClock,
  ) {
    this.redis = redisConnection(config.redisUrl, {
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      commandTimeout: DEADLINES.redisCommand,
    });
    void connectForever(this.redis);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  replicas(process: 'worker' | 'gateway'): Promise<number> {
    return this.redis.zcount(SYSTEM_KEYS.replicas(process), this.clock.now(), '+inf');
  }

  /** Gateways that can take no picture. */
  withoutPictures(): Promise<number> {
    return this.redis.zcount(SYSTEM_KEYS.withoutPictures, this.clock.now(), '+inf');
  }

  /** Empty without a living worker. */
  async queues(): Promise<QueueStatus[]> {
    const written = await this.redis.get(SYSTEM_KEYS.queues);
    return written === null ? [] : (JSON.parse(written) as QueueStatus[]);
  }

  lastSchedulerTick(): Promise<string | null> {
    return this.redis.get(SYSTEM_KEYS.lastSchedulerTick);
  }
}

const SERVICES = ['auth', 'events', 'admin'] as const;
/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 1;

/** What the page of the system shows of every process. */
@Injectable()
export class SystemService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly worker: WorkerStatus,
    private readonly mails: MailsRepository,
    private readonly settings: SettingsService,
    private readonly noted: ChecklistRepository,
  ) {}

  async status(): Promise<SystemStatus> {
    const [lastMails, refusedMails, leftOutSettings, lastBackup, fromRedis] = await Promise.all([
      this.mails.newest(),
      this.mails.refused(),
      this.settings.leftOut(),
      this.noted.lastBackup(),
      this.fromRedis(),
    ]);
    return { ...fromRedis, lastMails, refusedMails, leftOutSettings, lastBackup };
  }

  /** @throws DomainError SERVICE_UNAVAILABLE */
  private async fromRedis(): Promise<Pick<SystemStatus, 'processes' | 'queues' | 'lastSchedulerTick'>> {
    try {
      const [processes, queues, lastSchedulerTick] = await Promise.all([
        this.processes(),
        this.worker.queues(),
        this.worker.lastSchedulerTick(),
      ]);
      return { processes, queues, lastSchedulerTick };
    } catch (cause) {
      throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_AFTER }, { cause });
    }
  }

  private processes(): Promise<ProcessStatus[]> {
    return Promise.all([
      ...SERVICES.map(async (name) => ({ name, replicas: await this.rpc.replicas(name) })),
      this.worker.replicas('worker').then((replicas) => ({ name: 'worker', replicas })),
      this.gateways(),
    ]);
  }

  private async gateways(): Promise<ProcessStatus> {
    const [replicas, withoutPictures] = await Promise.all([
      this.worker.replicas('gateway'),
      this.worker.withoutPictures(),
    ]);
    return { name: 'gateway', replicas, ...(withoutPictures > 0 && { withoutPictures }) };
  }
}
