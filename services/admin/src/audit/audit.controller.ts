import { Controller } from '@nestjs/common';
import { ListAudit, type AuditEntry, type AuditFilter, type Page } from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { AuditService } from './audit.service.js';

@Controller()
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Handles(ListAudit)
  page(filter: AuditFilter): Promise<Page<AuditEntry>> {
    return this.audit.page(filter);
  }
}
