import { Module } from '@nestjs/common';
import { PublicCacheModule } from '../public-cache.js';
import { GuestsController } from './guests.controller.js';
import { GuestsService } from './guests.service.js';

@Module({
  imports: [PublicCacheModule],
  controllers: [GuestsController],
  providers: [GuestsService],
  exports: [GuestsService],
})
export class GuestsModule {}
