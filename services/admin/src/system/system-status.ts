import {
  DEADLINES,
  DomainError,
  GetSystemStatus,
  type ProcessStatus,
  type ServiceName,
  type QueueStatus,
  SYSTEM_KEYS,
  type SystemStatus,
} from '@meetmark/contracts';
import { Handles, RedisClock, ServiceConfig } from '@meetmark/platform';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';
import { redisNames } from '@meetmark/platform/rpc/protocol';
import { Controller, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SettingsService } from '../settings/settings.service.js';
import { lastBackupAt, lastRetentionRun } from './checklist.repository.js';
import { newestMails, refusedMails } from './mails.repository.js';

@Injectable()
export class ReplicaStatus implements OnApplicationShutdown {
  private readonly redis;
  private readonly names;

  constructor(
    config: ServiceConfig,
    private readonly clock: RedisClock,
  ) {
    this.redis = redisConnection(config.redisUrl, {
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      commandTimeout: DEADLINES.redisCommand,
    });
    this.names = redisNames(config.rpcPrefix);
    void connectForever(this.redis);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  countReplicas(process: ServiceName | 'worker' | 'gateway'): Promise<number> {
    const key =
      process === 'worker' || process === 'gateway'
        ? SYSTEM_KEYS.replicas(process)
        : this.names.replicas(process);
    return this.redis.zcount(key, this.clock.now(), '+inf');
  }

  withoutPictures(): Promise<number> {
    return this.redis.zcount(SYSTEM_KEYS.withoutPictures, this.clock.now(), '+inf');
  }

  async queues(): Promise<QueueStatus[]> {
    const written = await this.redis.get(SYSTEM_KEYS.queues);
    return written === null ? [] : (JSON.parse(written) as QueueStatus[]);
  }

  lastSchedulerTick(): Promise<string | null> {
    return this.redis.get(SYSTEM_KEYS.lastSchedulerTick);
  }
}

const PROCESSES = ['auth', 'events', 'admin', 'worker'] as const;
/** Seconds. */
const RETRY_AFTER = 1;

@Controller()
export class SystemService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: ReplicaStatus,
    private readonly settings: SettingsService,
  ) {}

  @Handles(GetSystemStatus)
  async status(): Promise<SystemStatus> {
    const [lastMails, refused, leftOutSettings, lastBackup, lastRetention, fromRedis] = await Promise.all([
      newestMails(this.dataSource),
      refusedMails(this.dataSource),
      this.settings.leftOut(),
      lastBackupAt(this.dataSource),
      lastRetentionRun(this.dataSource),
      this.fromRedis(),
    ]);
    return { ...fromRedis, lastMails, refusedMails: refused, leftOutSettings, lastBackup, lastRetention };
  }

  private async fromRedis(): Promise<Pick<SystemStatus, 'processes' | 'queues' | 'lastSchedulerTick'>> {
    try {
      const [processes, queues, lastSchedulerTick] = await Promise.all([
        this.processes(),
        this.replicas.queues(),
        this.replicas.lastSchedulerTick(),
      ]);
      return { processes, queues, lastSchedulerTick };
    } catch (cause) {
      throw new DomainError('SERVICE_UNAVAILABLE', { retryAfter: RETRY_AFTER }, { cause });
    }
  }

  private processes(): Promise<ProcessStatus[]> {
    return Promise.all([
      ...PROCESSES.map(async (name) => ({ name, replicas: await this.replicas.countReplicas(name) })),
      this.gateways(),
    ]);
  }

  private async gateways(): Promise<ProcessStatus> {
    const [replicas, withoutPictures] = await Promise.all([
      this.replicas.countReplicas('gateway'),
      this.replicas.withoutPictures(),
    ]);
    return { name: 'gateway', replicas, ...(withoutPictures > 0 && { withoutPictures }) };
  }
}
