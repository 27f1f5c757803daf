import { Controller } from '@nestjs/common';
import { GetBanner, type GetPictureRequest } from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { PicturesService } from './pictures.service.js';

@Controller()
export class PicturesController {
  constructor(private readonly pictures: PicturesService) {}

  @Handles(GetBanner)
  getBanner({ hash }: GetPictureRequest) {
    return this.pictures.get(hash);
  }
}
