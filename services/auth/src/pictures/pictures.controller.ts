import { Controller } from '@nestjs/common';
import { GetAvatar, HasAvatar, type GetPictureRequest, type PictureBytes } from '@meetmark/contracts';
import { Handles, PictureStore } from '@meetmark/platform';
import { DataSource } from 'typeorm';

@Controller()
export class PicturesController {
  constructor(private readonly pictures: PictureStore) {}

  @Handles(GetAvatar)
  get({ hash }: GetPictureRequest): Promise<PictureBytes> {
    return this.pictures.get(hash);
  }

  @Handles(HasAvatar)
  has({ hash }: GetPictureRequest): Promise<boolean> {
    return this.pictures.has(hash);
  }
}

export const avatars = {
  provide: PictureStore,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) =>
    new PictureStore(dataSource, {
      schema: 'auth',
      kind: 'avatars',
      field: 'profileImageUrl',
      rule: 'must be a data URL, the present picture or null',
    }),
};
