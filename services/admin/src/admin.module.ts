import { Module } from '@nestjs/common';
import { CommunityModule, DatabaseModule } from '@meetmark/platform';
import { AuditEntryEntity, AuditRepository } from './audit/audit.repository.js';
import { ActivityRepository } from './figures/activity.repository.js';
import { logos, SettingsController } from './settings/settings.controller.js';
import { SettingsService } from './settings/settings.service.js';
import { ChecklistService } from './system/checklist.js';
import { SystemService, ReplicaStatus } from './system/system-status.js';

@Module({
  imports: [DatabaseModule.forOwner({ schema: 'admin', entities: [AuditEntryEntity] }), CommunityModule],
  controllers: [ActivityRepository, AuditRepository, ChecklistService, SettingsController, SystemService],
  providers: [logos, ReplicaStatus, SettingsService],
})
export class AdminModule {}
