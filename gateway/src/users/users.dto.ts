import type * as Contract from '@meetmark/contracts';
import {
  AccountFields,
  IsId,
  LOCALES,
  MAIL_LISTS,
  ProfileFields,
  ROLES,
  SHOW_ME,
  type MailList,
} from '@meetmark/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsPicture } from '../media/pictures.js';
import { COUNT, ID, MOMENT, MOMENT_OR_NULL, OR_NULL, PICTURE, VERSION } from '../openapi/answers.js';

/** PUT /api/user/profile. */
export class ProfileBody extends ProfileFields {
  /** A data URL, the present address of the picture, or null. */
  @IsOptional()
  @IsPicture()
  profileImageUrl?: string | null;
}

/** PUT /api/admin/users/{id}. */
export class UpdateUserBody extends AccountFields {
  /** Must be the id of the path. */
  @IsOptional()
  @IsId()
  id?: string;
}

/** The part of a user that other members see. */
export class Person {
  @ApiProperty(ID) id!: string;
  @ApiProperty() firstName!: string;
  @ApiProperty() lastName!: string;
  @ApiProperty(PICTURE) profileImageUrl!: string | null;
}

export class User extends Person implements Contract.User {
  @ApiProperty() email!: string;
  @ApiProperty(OR_NULL) description!: string | null;
  @ApiProperty(OR_NULL) linkedInUrl!: string | null;
  @ApiProperty({ enum: ROLES }) role!: Contract.Role;
  @ApiProperty({ description: "Whether `role` is 'owner'" }) isAdmin!: boolean;
  @ApiProperty() hasSecondFactor!: boolean;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'Null until somebody has shown that the address is theirs' })
  emailVerifiedAt!: string | null;
  @ApiProperty({ ...OR_NULL, description: 'The address that the account has once it is confirmed' })
  pendingEmail!: string | null;
  @ApiProperty() hasPassword!: boolean;
  @ApiProperty({ enum: SHOW_ME, description: 'What a registration begins with' }) showMe!: Contract.ShowMe;
  @ApiProperty({
    enum: LOCALES,
    type: String,
    nullable: true,
    description: 'The language of the screens; null: the community’s',
  })
  locale!: Contract.ProductLocale | null;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT) updatedAt!: string;
  @ApiProperty(VERSION) version!: number;
}

/** GET /api/admin/users/{id}/activity. */
export class UserActivity implements Contract.UserActivity {
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'To the hour; null when no session of theirs is open' })
  lastSeenAt!: string | null;
  @ApiProperty(COUNT) registered!: number;
  @ApiProperty(COUNT) attended!: number;
  @ApiProperty(COUNT) noShows!: number;
}

/** Which mails the user gets besides those about the account and the own bookings. */
export class MailPreferences implements Contract.MailPreferences {
  @ApiProperty({ description: 'Other changes of events that one registered for' }) eventUpdates!: boolean;
  @ApiProperty({ description: 'The day before an event, and when one gives a place up' }) reminders!: boolean;
  @ApiProperty({ description: 'What organisers write to those who registered' }) messages!: boolean;
  @ApiProperty({ description: 'New events about topics that one follows' }) announcements!: boolean;
  @ApiProperty({ description: 'Once a week: what is new, nearly full, and one goes to' }) digest!: boolean;
}

export class MailListState implements Contract.MailListState {
  @ApiProperty({ enum: MAIL_LISTS }) list!: MailList;
  @ApiProperty() subscribed!: boolean;
}
