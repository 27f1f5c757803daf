import type * as Contract from '@meetmark/contracts';
import {
  About,
  AccountFields,
  IsId,
  MAIL_LISTS,
  ProfileFields,
  ROLES,
  SHOW_ME,
  type MailList,
} from '@meetmark/contracts';
import { LOCALES, type ProductLocale } from '@meetmark/i18n/locales';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsPicture } from '../media/pictures.js';
import { COUNT, ID, MOMENT, MOMENT_OR_NULL, OR_NULL, PICTURE, VERSION } from '../openapi/answers.js';

export class ProfileBody extends ProfileFields {
  @About('A data URL, the current `profileImageUrl` to keep it, or null to remove it')
  @IsOptional()
  @IsPicture()
  profileImageUrl?: string | null;
}

export class UpdateUserBody extends AccountFields {
  @About('Must be the ID in the path, if given')
  @IsOptional()
  @IsId()
  id?: string | null;
}

export class Person {
  @ApiProperty(ID) id!: string;
  @ApiProperty() firstName!: string;
  @ApiProperty() lastName!: string;
  @ApiProperty(PICTURE) profileImageUrl!: string | null;
}

class LegalVersions implements Contract.LegalVersions {
  @ApiPropertyOptional({ description: 'Version of the terms' }) terms?: string;
  @ApiPropertyOptional({ description: 'Version of the privacy policy' }) privacy?: string;
}

export class User extends Person implements Contract.User {
  @ApiProperty() email!: string;
  @ApiProperty(OR_NULL) description!: string | null;
  @ApiProperty(OR_NULL) linkedInUrl!: string | null;
  @ApiProperty({
    enum: ROLES,
    description:
      '`owner` can do everything. `organiser` can create events and manage them. `member` can register',
  })
  role!: Contract.Role;
  @ApiProperty({ description: 'Whether `role` is `owner`' }) isAdmin!: boolean;
  @ApiProperty({ description: 'Whether signing in needs a second factor' }) hasSecondFactor!: boolean;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'null until the email address is verified' })
  emailVerifiedAt!: string | null;
  @ApiProperty({ ...OR_NULL, description: 'New email address that still has to be confirmed' })
  pendingEmail!: string | null;
  @ApiProperty({ description: 'false if the account signs in with emailed codes only' })
  hasPassword!: boolean;
  @ApiProperty({ enum: SHOW_ME, description: 'Default for new registrations: what other attendees see' })
  showMe!: Contract.ShowMe;
  @ApiProperty({
    enum: LOCALES,
    type: String,
    nullable: true,
    description: 'Language of the screens. null: the community’s',
  })
  locale!: ProductLocale | null;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT) updatedAt!: string;
  @ApiProperty(VERSION) version!: number;
  @ApiPropertyOptional({
    type: LegalVersions,
    description: 'Only in `GET /api/user`: legal pages to accept with `POST /api/user/consents` first',
  })
  consentNeeded?: LegalVersions;
}

export class UserActivity implements Contract.UserActivity {
  @ApiProperty({
    ...MOMENT_OR_NULL,
    description: 'Accurate to the hour. null if the user has no open session',
  })
  lastSeenAt!: string | null;
  @ApiProperty({ ...COUNT, description: 'Registrations that were not cancelled' }) registered!: number;
  @ApiProperty({ ...COUNT, description: 'Events that are over, with a check-in' }) attended!: number;
  @ApiProperty({
    ...COUNT,
    description: 'Events that are over, without a check-in although other guests have one',
  })
  noShows!: number;
}

/** Optional emails. Emails about the account and important notices about registrations are always sent. */
export class MailPreferences implements Contract.MailPreferences {
  @ApiProperty({ description: 'Minor changes of events that you registered for' }) eventUpdates!: boolean;
  @ApiProperty({
    description: 'The reminder the day before an event, and the calendar update when you cancel',
  })
  reminders!: boolean;
  @ApiProperty({ description: 'Messages from organisers of events that you registered for' })
  messages!: boolean;
  @ApiProperty({ description: 'New events about topics that you follow' }) announcements!: boolean;
  @ApiProperty({ description: 'The weekly digest: new events, events that are nearly full, and your events' })
  digest!: boolean;
}

export class MailListState implements Contract.MailListState {
  @ApiProperty({ enum: MAIL_LISTS }) list!: MailList;
  @ApiProperty() subscribed!: boolean;
}
