import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { MediaController } from './media.controller.js';
import { Pictures } from './pictures.js';

@Module({
  imports: [LimitsModule],
  controllers: [MediaController],
  providers: [Pictures],
  exports: [Pictures],
})
export class PicturesModule {}
