import { Module } from '@nestjs/common';
import { DatabaseModule } from '@meetmark/platform';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityService } from './activity/activity.service.js';
import { AdministrationController } from './administration/administration.controller.js';
import { AdministrationService } from './administration/administration.service.js';
import { AuditEntryEntity } from './audit/audit-entry.entity.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditService } from './audit/audit.service.js';
import { LastMails } from './system/last-mails.js';
import { SystemController } from './system/system.controller.js';
import { SystemService } from './system/system.service.js';
import { WorkerStatus } from './system/worker-status.js';

@Module({
  imports: [DatabaseModule.forOwner({ schema: 'admin', entities: [AuditEntryEntity] })],
  controllers: [ActivityController, AdministrationController, AuditController, SystemController],
  providers: [ActivityService, AdministrationService, AuditService, LastMails, SystemService, WorkerStatus],
})
export class AdminModule {}
