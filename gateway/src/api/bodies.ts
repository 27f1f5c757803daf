import { EventFields, ProfileFields } from '@meetmark/contracts';
import { IsOptional, IsString } from 'class-validator';

/** PUT /api/user/profile as the browser sends it. */
export class ProfileBody extends ProfileFields {
  /** A data URL, the picture's present URL, or null (D19). */
  @IsOptional()
  @IsString()
  profileImageUrl?: string | null;
}

/** POST /api/events and PUT /api/events/{id} as the browser sends them. */
export class EventBody extends EventFields {
  /** A data URL, the banner's present URL, or null (D19). */
  @IsOptional()
  @IsString()
  bannerImageUrl?: string | null;
}
