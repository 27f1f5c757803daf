import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { PictureDecoder } from './decoder.js';
import { MediaController } from './media.controller.js';
import { Pictures } from './pictures.js';

@Module({
  imports: [LimitsModule],
  controllers: [MediaController],
  providers: [PictureDecoder, Pictures],
  exports: [Pictures],
})
export class PicturesModule {}
