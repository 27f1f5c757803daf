import {
  EventFields,
  IsEmailAddress,
  IsId,
  IsMoment,
  IsName,
  IsPassword,
  LIMITS,
  ProfileFields,
} from '@meetmark/contracts';
import { IsBoolean, IsOptional, IsString, MinLength } from 'class-validator';

// Bodies as browsers send them, where they differ from the message that the gateway makes of them.

/** PUT /api/user/profile. */
export class ProfileBody extends ProfileFields {
  /** A data URL, the picture's present address, or null (D19). */
  @IsOptional()
  @IsString()
  profileImageUrl?: string | null;
}

/** POST /api/events and PUT /api/events/{id}. */
export class EventBody extends EventFields {
  /** A data URL, the banner's present address, or null (D19). */
  @IsOptional()
  @IsString()
  bannerImageUrl?: string | null;
}

/** POST /api/events/{id}/register: empty, or the moment that the member comes for (D39). */
export class RegisterBody {
  @IsOptional()
  @IsMoment()
  selectedDate?: string;
}

/** PUT /api/admin/users/{id}. */
export class UpdateUserBody {
  /** Must be the id of the path (D39). */
  @IsOptional()
  @IsId()
  id?: string;

  @IsEmailAddress()
  email!: string;

  @IsName('First name is required')
  firstName!: string;

  @IsName('Last name is required')
  lastName!: string;

  @IsBoolean()
  isAdmin!: boolean;
}

/** PUT /api/admin/users/{id}/reset-password. */
export class SetPasswordBody {
  @MinLength(LIMITS.passwordMin, { message: 'Password must be at least 6 characters' })
  @IsPassword()
  newPassword!: string;
}

/** PUT /api/admin/users/{id}/toggle-admin. */
export class SetAdminBody {
  @IsBoolean()
  isAdmin!: boolean;
}
