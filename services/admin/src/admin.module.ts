import { Module } from '@nestjs/common';
import { CommunityModule, DatabaseModule } from '@meetmark/platform';
import { AccountsController } from './accounts.controller.js';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityRepository } from './activity/activity.repository.js';
import { AuditController, AuditService } from './audit/audit.controller.js';
import { AuditEntryEntity } from './audit/audit.repository.js';
import { DeletionController, DeletionService } from './deletion/deletion.controller.js';
import { logos, SettingsController } from './settings/settings.controller.js';
import { SettingsService } from './settings/settings.service.js';
import { SummaryController } from './summary/summary.controller.js';
import { MailsRepository } from './system/mails.repository.js';
import { SystemController, SystemService } from './system/system.controller.js';
import { WorkerStatus } from './system/worker-status.js';

@Module({
  imports: [DatabaseModule.forOwner({ schema: 'admin', entities: [AuditEntryEntity] }), CommunityModule],
  controllers: [
    AccountsController,
    ActivityController,
    AuditController,
    DeletionController,
    SettingsController,
    SummaryController,
    SystemController,
  ],
  providers: [
    ActivityRepository,
    AuditService,
    DeletionService,
    MailsRepository,
    logos,
    SettingsService,
    SystemService,
    WorkerStatus,
  ],
})
export class AdminModule {}
