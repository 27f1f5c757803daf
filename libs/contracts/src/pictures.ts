import { IfGiven } from './validation.js';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, Matches, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { messagesTo } from './message.js';
import { LIMITS, PICTURES } from './limits.js';

const auth = messagesTo('auth');
const events = messagesTo('events');

export type PictureKind = 'avatars' | 'banners' | 'community' | 'gallery';

export const pictureUrl = (kind: PictureKind, hash: string) => `/media/${kind}/${hash}.webp`;
export const pictureHash = (kind: PictureKind, url: string | null | undefined): string | undefined =>
  new RegExp(`^/media/${kind}/([0-9a-f]{64})\\.webp$`).exec(url ?? '')?.[1];

const HASH = /^[0-9a-f]{64}$/;
const base64Length = Math.ceil(PICTURES.maxStoredBytes / 3) * 4;

export class StoredPicture {
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

export class PictureChange {
  @IsIn(['store', 'keep', 'remove'])
  action!: 'store' | 'keep' | 'remove';

  @IfGiven()
  @ValidateNested()
  @Type(() => StoredPicture)
  picture?: StoredPicture;

  /** Only with `keep`: the URL of the current image. If the object has an image, its URL must be the same. */
  @IfGiven()
  @IsString()
  @MaxLength(LIMITS.linkedInUrl)
  url?: string;
}

export class GetPictureRequest {
  @Matches(HASH)
  hash!: string;
}

export interface PictureBytes {
  base64: string;
}

export const GetAvatar = auth.public('pictures.getAvatar', GetPictureRequest)<PictureBytes>();

/** Checks access only. The gateway or browser already has the image. */
export const HasAvatar = auth.public('pictures.hasAvatar', GetPictureRequest)<boolean>();

export const GetBanner = events.public('pictures.getBanner', GetPictureRequest)<PictureBytes>();
