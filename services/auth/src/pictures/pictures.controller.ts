import { Controller } from '@nestjs/common';
import { GetAvatar, HasAvatar, type GetPictureRequest, type PictureBytes } from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { PicturesService } from './pictures.service.js';

@Controller()
export class PicturesController {
  constructor(private readonly pictures: PicturesService) {}

  @Handles(GetAvatar)
  get({ hash }: GetPictureRequest): Promise<PictureBytes> {
    return this.pictures.get(hash);
  }

  @Handles(HasAvatar)
  has({ hash }: GetPictureRequest): Promise<boolean> {
    return this.pictures.has(hash);
  }
}
