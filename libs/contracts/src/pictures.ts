import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { defineMessage } from './message.js';
import { LIMITS, PICTURES } from './limits.js';

/** `community`: the logos of the community and of its sponsors. `gallery`: pictures of an event for afterwards. */
export type PictureKind = 'avatars' | 'banners' | 'community' | 'gallery';

/** Own URL of a stored picture, as payloads return it and may send it back. */
export const pictureUrl = (kind: PictureKind, hash: string) => `/media/${kind}/${hash}.webp`;
/** The hash in such a URL; undefined of any other address. */
export const pictureHash = (kind: PictureKind, url: string | null | undefined): string | undefined =>
  new RegExp(`^/media/${kind}/([0-9a-f]{64})\\.webp$`).exec(url ?? '')?.[1];

const HASH = /^[0-9a-f]{64}$/;
const base64Length = Math.ceil(PICTURES.maxStoredBytes / 3) * 4;

/** A picture that the gateway has decoded, checked and re-encoded to WebP. */
export class StoredPicture {
  /** SHA-256 of the bytes, hexadecimal. */
  @Matches(HASH)
  hash!: string;

  @IsString()
  @MaxLength(base64Length)
  base64!: string;

  @IsInt()
  @Min(1)
  @Max(PICTURES.bannerWidth * 8)
  width!: number;

  @IsInt()
  @Min(1)
  @Max(PICTURES.bannerWidth * 8)
  height!: number;
}

/** What to do with an entity's picture: store a new one, keep the present one, or remove it. */
export class PictureChange {
  @IsIn(['store', 'keep', 'remove'])
  action!: 'store' | 'keep' | 'remove';

  @IsOptional()
  @ValidateNested()
  @Type(() => StoredPicture)
  picture?: StoredPicture;

  /** With `keep`, as the client sent it: must be the entity's present URL. Absent: whatever it has. */
  @IsOptional()
  @IsString()
  @MaxLength(LIMITS.linkedInUrl)
  url?: string;
}

export class GetPictureRequest {
  @Matches(HASH)
  hash!: string;
}

/** The bytes of a stored picture. */
export interface PictureBytes {
  base64: string;
}

export const GetAvatar = defineMessage({
  service: 'auth',
  name: 'pictures.getAvatar',
  access: 'public',
  reads: true,
  request: GetPictureRequest,
})<PictureBytes>();

/** Whether somebody shows it: asked instead of its bytes, which the gateway or the browser has. */
export const HasAvatar = defineMessage({
  service: 'auth',
  name: 'pictures.hasAvatar',
  access: 'public',
  request: GetPictureRequest,
})<boolean>();

export const GetBanner = defineMessage({
  service: 'events',
  name: 'pictures.getBanner',
  access: 'public',
  reads: true,
  request: GetPictureRequest,
})<PictureBytes>();
