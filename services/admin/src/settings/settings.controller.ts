import {
  ChangeSettings,
  type ChangeSettingsRequest,
  GetCommunityPicture,
  type GetPictureRequest,
  GetSettings,
  ListSettingsVersions,
  type Nothing,
  type PictureBytes,
  type Settings,
  type SettingsVersion,
  StoreCommunityPicture,
  type StoreCommunityPictureRequest,
} from '@meetmark/contracts';
import { type Call, Handles, PictureStore } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SettingsService } from './settings.service.js';

@Controller()
export class SettingsController {
  constructor(
    private readonly settings: SettingsService,
    private readonly pictures: PictureStore,
  ) {}

  @Handles(GetSettings)
  get(_request: Nothing): Promise<Settings> {
    return this.settings.get();
  }

  @Handles(ChangeSettings)
  change(request: ChangeSettingsRequest, call: Call): Promise<Settings> {
    return this.settings.change(request, call);
  }

  @Handles(ListSettingsVersions)
  versions(_request: Nothing): Promise<SettingsVersion[]> {
    return this.settings.versions();
  }

  @Handles(StoreCommunityPicture)
  storePicture({ picture }: StoreCommunityPictureRequest, call: Call): Promise<void> {
    return this.settings.storePicture(picture, call);
  }

  @Handles(GetCommunityPicture)
  getPicture({ hash }: GetPictureRequest): Promise<PictureBytes> {
    return this.pictures.get(hash);
  }
}

export const logos = {
  provide: PictureStore,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) =>
    new PictureStore(dataSource, {
      schema: 'admin',
      kind: 'community',
      field: 'logoUrl',
      rule: 'must be a data URL, the address of a picture or null',
    }),
};
