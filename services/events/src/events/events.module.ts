import { Module } from '@nestjs/common';
import { PicturesModule } from '../pictures/pictures.module.js';
import { PublicCacheModule } from '../public-cache/public-cache.module.js';
import { EventDeletionService } from './event-deletion.service.js';
import { EventEditingService } from './event-editing.service.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [PicturesModule, PublicCacheModule],
  controllers: [EventsController],
  providers: [EventsService, EventEditingService, EventDeletionService],
})
export class EventsModule {}
