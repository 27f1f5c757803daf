import {
  AccountFields,
  EventChangeFields,
  EventFields,
  IsId,
  IsMoment,
  ProfileFields,
} from '@meetmark/contracts';
import { IsOptional, IsString } from 'class-validator';

// Bodies as browsers send them, where they differ from the message that the gateway makes of them.

/** PUT /api/user/profile. */
export class ProfileBody extends ProfileFields {
  /** A data URL, the picture's present address, or null (D19). */
  @IsOptional()
  @IsString()
  profileImageUrl?: string | null;
}

/** POST /api/events. */
export class EventBody extends EventFields {
  /** A data URL, the address of a banner that another event has, or null. */
  @IsOptional()
  @IsString()
  bannerImageUrl?: string | null;
}

/** PUT /api/events/{id}. */
export class EventChangesBody extends EventChangeFields {
  /** A data URL, the banner's present address, or null. */
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
export class UpdateUserBody extends AccountFields {
  /** Must be the id of the path (D39). */
  @IsOptional()
  @IsId()
  id?: string;
}
