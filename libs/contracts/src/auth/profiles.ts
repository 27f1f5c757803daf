import { IsIn } from 'class-validator';
import { Asker } from './codes.js';
import { LIMITS } from '../limits.js';
import { LOCALES, type ProductLocale } from '@meetmark/i18n/locales';
import { messagesTo } from '../message.js';
import { PictureChange } from '../pictures.js';
import { PersonFields, SHOW_ME, type SessionUser, type ShowMe } from './users.js';
import {
  About,
  toChangesClass,
  EmptyAsNull,
  IfGiven,
  IsPassword,
  IsVersion,
  IsWebUrl,
  PlainText,
  withObjects,
} from '../validation.js';

const auth = messagesTo('auth');

class ProfileForm extends PersonFields {
  @About('About you, plain text')
  @EmptyAsNull()
  @PlainText(LIMITS.description)
  description: string | null = null;

  @About('URL of your LinkedIn profile')
  @EmptyAsNull()
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;

  @About('What other attendees see of new registrations')
  @IsIn(SHOW_ME)
  showMe: ShowMe = 'name';

  @About('Language of the screens and emails. null: the community’s')
  @EmptyAsNull()
  @IsIn(LOCALES)
  locale: ProductLocale | null = null;
}

/** The gateway converts the image's data URL to a PictureChange. */
export class ProfileFields extends toChangesClass(ProfileForm) {
  @About(
    'Your current password. Speeds up a change of `email`: without it, your current address has to confirm first',
  )
  @IfGiven()
  @IsPassword()
  currentPassword?: string;

  @About(
    'The `version` that you read. 409 `EDIT_CONFLICT` if there is a newer one. If left out, the last change wins',
    3,
  )
  @IsVersion()
  version?: number;
}

export class UpdateProfileRequest extends withObjects(ProfileFields, {
  picture: PictureChange,
  asker: Asker,
}) {}

/**
 * A new email address stays pending until it is confirmed. The response doesn't reveal whether the address
 * already belongs to an account.
 * @throws CURRENT_PASSWORD_INCORRECT without saving anything
 */
export const UpdateProfile = auth.member('users.updateProfile', UpdateProfileRequest)<SessionUser>();
