import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { LIMITS } from './limits.js';
import { defineMessage } from './message.js';
import { PictureChange } from './pictures.js';
import { PersonFields, type SessionUser } from './users.js';
import { changesOf, EmptyAsNull, IsWebUrl, PlainText } from './validation.js';

class ProfileForm extends PersonFields {
  @EmptyAsNull()
  @PlainText(LIMITS.description)
  description: string | null = null;

  @EmptyAsNull()
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;
}

/** PUT /api/user/profile as the browser sends it; the gateway turns the picture's data URL into a PictureChange. */
export class ProfileFields extends changesOf(ProfileForm) {}

export class UpdateProfileRequest extends ProfileFields {
  @ValidateNested()
  @Type(() => PictureChange)
  picture!: PictureChange;
}

/** EMAIL_TAKEN when another account has the address. */
export const UpdateProfile = defineMessage({
  service: 'auth',
  name: 'users.updateProfile',
  access: 'member',
  request: UpdateProfileRequest,
})<SessionUser>();
