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
import { Describe } from '../openapi/describe.js';
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

  @Describe({ summary: 'Change the own profile', answers: { 200: 'User' }, refuses: ['EMAIL_TAKEN'] })
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

  @Describe({ summary: 'What the signed-in user is written to about', answers: { 200: 'MailPreferences' } })
  @Get('mail-preferences')
  @Access('member')
  mailPreferences(): Promise<MailPreferences> {
    return this.services.read(GetMailPreferences, {});
  }

  @Describe({ summary: 'Choose what to be written to about', answers: { 200: 'MailPreferences' } })
  @Put('mail-preferences')
  @Access('member')
  setMailPreferences(@Fields(MailPreferences) preferences: MailPreferences): Promise<MailPreferences> {
    return this.services.call(SetMailPreferences, preferences);
  }
}
