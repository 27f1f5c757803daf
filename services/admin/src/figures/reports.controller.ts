import { Controller } from '@nestjs/common';
import {
  GetChecklist,
  GetRegistrationActivity,
  GetSystemStatus,
  ListAudit,
  type ActivityDay,
  type AuditEntry,
  type AuditFilter,
  type Checklist,
  type Nothing,
  type Page,
  type SystemStatus,
} from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { AuditRepository } from '../audit/audit.repository.js';
import { ChecklistService } from '../system/checklist.js';
import { SystemService } from '../system/system-status.js';
import { ActivityRepository } from './activity.repository.js';

/** What owners read of the installation: the activity of the last days, the audit log, the state of the processes, the checklist of the first month. */
@Controller()
export class ReportsController {
  constructor(
    private readonly activity: ActivityRepository,
    private readonly audit: AuditRepository,
    private readonly system: SystemService,
    private readonly checklist: ChecklistService,
  ) {}

  @Handles(GetRegistrationActivity)
  lastDays(_request: Nothing): Promise<ActivityDay[]> {
    return this.activity.lastDays();
  }

  @Handles(ListAudit)
  audited(filter: AuditFilter): Promise<Page<AuditEntry>> {
    return this.audit.page(filter);
  }

  @Handles(GetSystemStatus)
  status(_request: Nothing): Promise<SystemStatus> {
    return this.system.status();
  }

  @Handles(GetChecklist)
  firstMonth(_request: Nothing): Promise<Checklist> {
    return this.checklist.get();
  }
}
