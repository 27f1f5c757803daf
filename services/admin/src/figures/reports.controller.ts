import { Controller } from '@nestjs/common';
import {
  GetRegistrationActivity,
  GetSystemStatus,
  ListAudit,
  Summarise,
  SummariseAccounts,
  SummariseEvents,
  type ActivityDay,
  type AuditEntry,
  type AuditFilter,
  type Nothing,
  type Page,
  type Summary,
  type SystemStatus,
} from '@meetmark/contracts';
import { Handles, RpcClient } from '@meetmark/platform';
import { AuditRepository } from '../audit/audit.repository.js';
import { SystemService } from '../system/system-status.js';
import { ActivityRepository } from './activity.repository.js';

/** What owners read of the installation: the figures of the dashboard, the audit log, the state of the processes. */
@Controller()
export class ReportsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly activity: ActivityRepository,
    private readonly audit: AuditRepository,
    private readonly system: SystemService,
  ) {}

  @Handles(GetRegistrationActivity)
  lastDays(_request: Nothing): Promise<ActivityDay[]> {
    return this.activity.lastDays();
  }

  @Handles(Summarise)
  async summarise(_request: Nothing): Promise<Summary> {
    const [accounts, events] = await Promise.all([
      this.rpc.call(SummariseAccounts, {}),
      this.rpc.call(SummariseEvents, {}),
    ]);
    return {
      totalEvents: events.total,
      eventsThisMonth: events.createdLast30Days,
      upcomingEvents: events.upcoming,
      nextEvents: events.nextEvents,
      totalUsers: accounts.total,
      newUsers: accounts.createdLast30Days,
    };
  }

  @Handles(ListAudit)
  audited(filter: AuditFilter): Promise<Page<AuditEntry>> {
    return this.audit.page(filter);
  }

  @Handles(GetSystemStatus)
  status(_request: Nothing): Promise<SystemStatus> {
    return this.system.status();
  }
}
