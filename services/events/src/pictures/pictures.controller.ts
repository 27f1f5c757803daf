import { Controller } from '@nestjs/common';
import { GetBanner, type GetPictureRequest } from '@meetmark/contracts';
import { Handles, PictureStore } from '@meetmark/platform';
import { DataSource } from 'typeorm';

@Controller()
export class PicturesController {
  constructor(private readonly pictures: PictureStore) {}

  @Handles(GetBanner)
  getBanner({ hash }: GetPictureRequest) {
    return this.pictures.get(hash);
  }
}

export const banners = {
  provide: PictureStore,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) =>
    new PictureStore(dataSource, {
      schema: 'events',
      kind: 'banners',
      field: 'bannerImageUrl',
      rule: "must be a data URL, the event's present banner or null",
    }),
};
