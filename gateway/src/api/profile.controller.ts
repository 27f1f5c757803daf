import {
  GetMailPreferences,
  MailPreferences,
  SetMailPreferences,
  UpdateProfile,
  type User,
} from '@meetmark/contracts';
import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '../access/access.js';
import { Caller } from '../http/caller.js';
import { Pictures } from '../pictures/pictures.js';
import { ProfileBody } from './bodies.js';
import { Fields } from './fields.js';
import { Services } from './services.js';
import { TakesPicture } from './takes-picture.js';

/** What members say about themselves and want to be told. */
@Controller('api/user')
export class ProfileController {
  constructor(
    private readonly services: Services,
    private readonly pictures: Pictures,
  ) {}

  @Put('profile')
  @Access('member')
  @TakesPicture()
  async update(@Caller() caller: User, @Fields(ProfileBody) body: ProfileBody): Promise<User> {
    const { profileImageUrl, ...fields } = body;
    const about = { kind: 'avatars', field: 'profileImageUrl', userId: caller.id } as const;
    const picture = await this.pictures.change(profileImageUrl, about);
    const { user } = await this.services.call(UpdateProfile, { ...fields, picture });
    return user;
  }

  @Get('mail-preferences')
  @Access('member')
  mailPreferences(): Promise<MailPreferences> {
    return this.services.read(GetMailPreferences, {});
  }

  @Put('mail-preferences')
  @Access('member')
  setMailPreferences(@Fields(MailPreferences) preferences: MailPreferences): Promise<MailPreferences> {
    return this.services.call(SetMailPreferences, preferences);
  }
}
