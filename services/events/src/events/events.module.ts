import { Module } from '@nestjs/common';
import { PicturesModule } from '../pictures.module.js';
import { PublicCacheModule } from '../public-cache.js';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { RenderingUpkeep } from './rendered-texts.js';

@Module({
  imports: [PicturesModule, PublicCacheModule],
  controllers: [EventsController],
  providers: [EventsService, EventEditingService, EventLifeService, RenderingUpkeep],
})
export class EventsModule {}
