import { Controller, Injectable } from '@nestjs/common';
import {
  DomainError,
  GetSystemStatus,
  type Nothing,
  type ProcessStatus,
  type SystemStatus,
} from '@meetmark/contracts';
import { Handles, RpcClient } from '@meetmark/platform';
import { SettingsService } from '../settings/settings.service.js';
import { MailsRepository } from './mails.repository.js';
import { WorkerStatus } from './worker-status.js';

const SERVICES = ['auth', 'events', 'admin'] as const;
/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 1;

@Injectable()
export class SystemService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly worker: WorkerStatus,
    private readonly mails: MailsRepository,
    private readonly settings: SettingsService,
  ) {}

  async status(): Promise<SystemStatus> {
    const [lastMails, refusedMails, leftOutSettings, fromRedis] = await Promise.all([
      this.mails.newest(),
      this.mails.refused(),
      this.settings.leftOut(),
      this.fromRedis(),
    ]);
    return { ...fromRedis, lastMails, refusedMails, leftOutSettings };
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

@Controller()
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Handles(GetSystemStatus)
  status(_request: Nothing): Promise<SystemStatus> {
    return this.system.status();
  }
}
