import { Module } from '@nestjs/common';
import { GuestsModule } from '../guests/guests.module.js';
import { PublicCacheModule } from '../public-cache.js';
import { DoorController } from './door.controller.js';
import { DoorService } from './door.service.js';
import { GuestCodes } from './guest-codes.js';

@Module({
  imports: [PublicCacheModule, GuestsModule],
  controllers: [DoorController],
  providers: [DoorService, GuestCodes],
})
export class DoorModule {}
