import { Module } from '@nestjs/common';
import { CommunityModule, DatabaseModule } from '@meetmark/platform';
import { AccountsController } from './accounts/accounts.controller.js';
import { DeletionService } from './accounts/deletion.service.js';
import { AuditController, AuditService } from './audit/audit.controller.js';
import { AuditEntryEntity } from './audit/audit.repository.js';
import { ActivityRepository } from './figures/activity.repository.js';
import { FiguresController } from './figures/figures.controller.js';
import { logos, SettingsController } from './settings/settings.controller.js';
import { SettingsService } from './settings/settings.service.js';
import { MailsRepository } from './system/mails.repository.js';
import { SystemController, SystemService } from './system/system.controller.js';
import { WorkerStatus } from './system/worker-status.js';

@Module({
  imports: [DatabaseModule.forOwner({ schema: 'admin', entities: [AuditEntryEntity] }), CommunityModule],
  controllers: [AccountsController, AuditController, FiguresController, SettingsController, SystemController],
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
