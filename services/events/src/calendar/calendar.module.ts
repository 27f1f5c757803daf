import { Module } from '@nestjs/common';
import { CalendarController } from './calendar.controller.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarService } from './calendar.service.js';
import { CalendarWriter } from './calendar-writer.js';

@Module({
  controllers: [CalendarController],
  providers: [CalendarService, CalendarFeedsService, CalendarWriter],
})
export class CalendarModule {}
