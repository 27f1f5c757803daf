import { Module } from '@nestjs/common';
import { CommunityModule, DatabaseModule } from '@meetmark/platform';
import { AuditEntryEntity, AuditRepository } from './audit/audit.repository.js';
import { ActivityRepository } from './figures/activity.repository.js';
import { ReportsController } from './figures/reports.controller.js';
import { PassedOnController } from './passed-on-of-1.0.0.js';
import { logos, SettingsController } from './settings/settings.controller.js';
import { SettingsService } from './settings/settings.service.js';
import { ChecklistRepository } from './system/checklist.repository.js';
import { ChecklistService } from './system/checklist.js';
import { MailsRepository } from './system/mails.repository.js';
import { SystemService, WorkerStatus } from './system/system-status.js';

@Module({
  imports: [DatabaseModule.forOwner({ schema: 'admin', entities: [AuditEntryEntity] }), CommunityModule],
  controllers: [PassedOnController, ReportsController, SettingsController],
  providers: [
    ActivityRepository,
    AuditRepository,
    ChecklistRepository,
    ChecklistService,
    MailsRepository,
    logos,
    SettingsService,
    SystemService,
    WorkerStatus,
  ],
})
export class AdminModule {}
