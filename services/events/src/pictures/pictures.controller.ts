import { Controller } from '@nestjs/common';
import {
  AddGalleryPicture,
  type AddGalleryPictureRequest,
  ChangeGallery,
  type ChangeGalleryRequest,
  GetBanner,
  GetGalleryPicture,
  type GetPictureRequest,
  HasGalleryPicture,
  RemoveGalleryPicture,
  type RemoveGalleryPictureRequest,
} from '@meetmark/contracts';
import { type Call, Handles, identityOf, PictureStore } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { GalleryService } from './gallery.service.js';

@Controller()
export class PicturesController {
  constructor(
    private readonly pictures: PictureStore,
    private readonly gallery: GalleryService,
  ) {}

  @Handles(GetBanner)
  getBanner({ hash }: GetPictureRequest) {
    return this.pictures.get(hash);
  }

  @Handles(GetGalleryPicture)
  getOfGallery({ hash }: GetPictureRequest) {
    return this.gallery.get(hash);
  }

  @Handles(HasGalleryPicture)
  isInGallery({ hash }: GetPictureRequest) {
    return this.gallery.has(hash);
  }

  @Handles(AddGalleryPicture)
  addToGallery(request: AddGalleryPictureRequest, call: Call) {
    return this.gallery.add(identityOf(call), request);
  }

  @Handles(ChangeGallery)
  changeGallery(request: ChangeGalleryRequest, call: Call) {
    return this.gallery.changeSome(identityOf(call), request);
  }

  @Handles(RemoveGalleryPicture)
  removeFromGallery(request: RemoveGalleryPictureRequest, call: Call) {
    return this.gallery.remove(identityOf(call), request);
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
