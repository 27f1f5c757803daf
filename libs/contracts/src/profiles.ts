import { Type } from 'class-transformer';
import { IsIn, ValidateNested } from 'class-validator';
import { Asker, DISPENSABLE_OF_ASKER } from './codes.js';
import { LIMITS } from './limits.js';
import { LOCALES, type ProductLocale } from './locales.js';
import { defineMessage } from './message.js';
import { PictureChange } from './pictures.js';
import { PersonFields, SHOW_ME, type SessionUser, type ShowMe } from './users.js';
import { changesOf, EmptyAsNull, IfGiven, IsPassword, IsVersion, IsWebUrl, PlainText } from './validation.js';

class ProfileForm extends PersonFields {
  @EmptyAsNull()
  @PlainText(LIMITS.description)
  description: string | null = null;

  @EmptyAsNull()
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;

  @IsIn(SHOW_ME)
  showMe: ShowMe = 'name';

  /** Null: the community's. */
  @EmptyAsNull()
  @IsIn(LOCALES)
  locale: ProductLocale | null = null;
}

/** PUT /api/user/profile as the browser sends it; the gateway turns the picture's data URL into a PictureChange. */
export class ProfileFields extends changesOf(ProfileForm) {
  /** Shows that it is the account's owner who changes the address. Without it a code goes to the present one first. */
  @IfGiven()
  @IsPassword()
  currentPassword?: string;

  /** What the change began from: refused (EDIT_CONFLICT) when there is a newer one. Left out: the last one wins. */
  @IsVersion()
  version?: number;
}

export class UpdateProfileRequest extends ProfileFields {
  @ValidateNested()
  @Type(() => PictureChange)
  picture!: PictureChange;

  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

/**
 * Another address takes effect once it is confirmed; until then it is pending, whether or not another account has it.
 * CURRENT_PASSWORD_INCORRECT when one is given that is wrong: nothing is saved then.
 */
export const UpdateProfile = defineMessage({
  service: 'auth',
  name: 'users.updateProfile',
  access: 'member',
  request: UpdateProfileRequest,
  dispensable: DISPENSABLE_OF_ASKER,
})<SessionUser>();
