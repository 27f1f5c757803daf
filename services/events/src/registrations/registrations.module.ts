import { Module } from '@nestjs/common';
import { PublicCacheModule } from '../public-cache/public-cache.module.js';
import { EventLanes } from './event-lanes.js';
import { PreparedStatements } from './prepared-statements.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsController } from './registrations.controller.js';
import { RegistrationsService } from './registrations.service.js';

@Module({
  imports: [PublicCacheModule],
  controllers: [RegistrationsController],
  providers: [RegistrationsService, RegistrationListsService, PreparedStatements, EventLanes],
})
export class RegistrationsModule {}
