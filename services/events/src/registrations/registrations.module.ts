import { Module } from '@nestjs/common';
import { PublicCacheModule } from '../public-cache.js';
import { PreparedStatements } from './prepared-statements.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsController } from './registrations.controller.js';
import { PerEventBulkhead, RegistrationsService } from './registrations.service.js';
import { WaitingListService } from './waiting-list.service.js';

@Module({
  imports: [PublicCacheModule],
  controllers: [RegistrationsController],
  providers: [
    RegistrationsService,
    RegistrationListsService,
    WaitingListService,
    PreparedStatements,
    PerEventBulkhead,
  ],
})
export class RegistrationsModule {}
