import { createHash } from 'node:crypto';
import { DomainError, PICTURES, type PictureKind, type StoredPicture } from '@meetmark/contracts';
import sharp from 'sharp';
import { isTakenFormat } from './sniff.js';

/** Of an animation the first frame is kept; one with more frames than this is not even looked through. */
const MAX_FRAMES = 500;
/** A banner's height, in widths: nobody needs a banner that is longer. */
const BANNER_HEIGHT = 2;
/** Seconds that decoding may take. */
const PATIENCE = 5;
/** Tried in this order until the file is small enough; then again at half the size. */
const QUALITIES = [82, 70, 55, 40, 25];
const HALF = 0.5;

sharp.cache(false); // every picture is seen once
sharp.concurrency(1); // how many are decoded at a time is decided by Pictures

const input = (bytes: Buffer) =>
  sharp(bytes, {
    limitInputPixels: PICTURES.maxPixels,
    failOn: 'error',
    pages: 1,
    sequentialRead: true,
  }).timeout({ seconds: PATIENCE });

/**
 * A WebP of our own making from an upload: nothing of the original file survives but its pixels (T11, T12).
 * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN
 */
export async function reencode(bytes: Buffer, kind: PictureKind): Promise<StoredPicture> {
  if (!isTakenFormat(bytes)) throw new DomainError('PICTURE_TYPE');
  await checkHeader(bytes);
  const { data, info } = await pixels(bytes, kind);
  const raw = { width: info.width, height: info.height, channels: info.channels } as const;
  for (let scale = 1; ; scale *= HALF) {
    const width = Math.max(1, Math.round(info.width * scale));
    for (const quality of QUALITIES) {
      const webp = await sharp(data, { raw })
        .resize({ width })
        .webp({ quality })
        .toBuffer({ resolveWithObject: true });
      if (webp.data.length <= PICTURES.maxStoredBytes) return stored(webp.data, webp.info);
    }
  }
}

/** By what the header says, before anything is unpacked. */
async function checkHeader(bytes: Buffer): Promise<void> {
  const { width, height, pages = 1 } = await judged(input(bytes).metadata());
  if (width * height > PICTURES.maxPixels || pages > MAX_FRAMES) throw new DomainError('PICTURE_TOO_LARGE');
}

/** Upright, in the size we keep, without the original's metadata. */
function pixels(bytes: Buffer, kind: PictureKind) {
  const { avatarSize, bannerWidth } = PICTURES;
  const size =
    kind === 'avatars'
      ? ({ width: avatarSize, height: avatarSize, fit: 'cover' } as const)
      : ({
          width: bannerWidth,
          height: bannerWidth * BANNER_HEIGHT,
          fit: 'inside',
          withoutEnlargement: true,
        } as const);
  const upright = input(bytes).autoOrient().resize(size).toColourspace('srgb');
  return judged(upright.raw().toBuffer({ resolveWithObject: true }));
}

/** What the library says of a file that it cannot read, in our words. */
async function judged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const tooLarge = error instanceof Error && /pixel limit|timeout/i.test(error.message);
    throw new DomainError(tooLarge ? 'PICTURE_TOO_LARGE' : 'PICTURE_BROKEN', undefined, { cause: error });
  }
}

function stored(webp: Buffer, { width, height }: { width: number; height: number }): StoredPicture {
  const hash = createHash('sha256').update(webp).digest('hex');
  return { hash, base64: webp.toString('base64'), width, height };
}
