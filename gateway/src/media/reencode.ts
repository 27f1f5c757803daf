import { createRequire } from 'node:module';
import type { PictureKind } from '@meetmark/contracts';
import { type CoverCrop, MIDDLE, computePart } from '@meetmark/contracts/events/cover-crop';
import { DomainError } from '@meetmark/contracts/errors';
import { PICTURES } from '@meetmark/contracts/limits';
import type Sharp from 'sharp';
import type { Metadata, OutputInfo, Raw, Sharp as Image } from 'sharp';

/** `require` saves 15 of 120 ms, because `import` would parse all modules to find their exports. */
const sharp = createRequire(import.meta.url)('sharp') as typeof Sharp;

const at = (bytes: Buffer, offset: number, text: string) =>
  bytes.toString('latin1', offset, offset + text.length) === text;

const BRANDS_END = 64;

function isTakenFormat(bytes: Buffer): boolean {
  return isPng(bytes) || isJpeg(bytes) || isWebp(bytes) || isGif(bytes) || isAvif(bytes);
}

const isPng = (bytes: Buffer) => at(bytes, 0, '\x89PNG\r\n\x1a\n');
const isJpeg = (bytes: Buffer) => at(bytes, 0, '\xff\xd8\xff');
const isWebp = (bytes: Buffer) => at(bytes, 0, 'RIFF') && at(bytes, 8, 'WEBP');
const isGif = (bytes: Buffer) => at(bytes, 0, 'GIF87a') || at(bytes, 0, 'GIF89a');

/** Checks the brands in the header, because HEIC files have the same structure. */
function isAvif(bytes: Buffer): boolean {
  if (!at(bytes, 4, 'ftyp')) return false;
  const end = Math.min(bytes.readUInt32BE(0), BRANDS_END, bytes.length);
  return /avif|avis/.test(bytes.toString('latin1', 8, end));
}

/** Maximum frames of an animation. Only the first frame is kept. */
const MAX_FRAMES = 500;
const BANNER_HEIGHT = 2;
/** Lower than BANNER_HEIGHT, because compressing a transparent image takes several times the memory. */
const BANNER_HEIGHT_TRANSPARENT = 1;
/**
 * WebP qualities in the order of attempts. If all fail, they are tried again at half the width. `share` is
 * the usual size of the result, relative to a JPEG of the first quality. It is used to skip attempts that
 * would fail, because each costs a second and 100 MB.
 */
const QUALITIES = [
  { quality: 82, share: 0.85 },
  { quality: 70, share: 0.65 },
  { quality: 55, share: 0.55 },
  { quality: 40, share: 0.45 },
  { quality: 25, share: 0.35 },
];
const HALF = 0.5;
const BYTES_PER_SAMPLE: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2 };
/** Bytes per sample for all other depths. No accepted format has wider samples. */
const WIDEST_SAMPLE = 8;

sharp.cache(false);
sharp.concurrency(1);

export function useOnlyOurDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadNsgifBuffer',
      'VipsForeignLoadHeifBuffer',
    ],
  });
}

export interface Reencoded {
  webp: Buffer;
  width: number;
  height: number;
}

/** Part of a cover, to be cut out as a JPEG of `width` by `height` pixels. */
export interface CoverPart {
  cover: Buffer;
  /** Part to cut out. Null means the middle. */
  crop: CoverCrop | null;
  width: number;
  height: number;
}

export interface Drawing {
  svg: string;
  format: 'jpeg' | 'png';
  /** Drawn at most `side` pixels wide and high. Not part of `svg`, where the library can't draw WebP. */
  logo?: { webp: Buffer; side: number };
}

const input = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: PICTURES.maxPixels, failOn: 'error', pages: 1, sequentialRead: true });

/**
 * Must run in the decoder process, because an image can need more memory than its header says.
 * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN
 */
export async function reencode(bytes: Buffer, kind: PictureKind): Promise<Reencoded> {
  if (!isTakenFormat(bytes)) throw new DomainError('PICTURE_TYPE');
  const header = await judged(input(bytes).metadata());
  checkHeader(header);
  const { data, info } = await pixels(bytes, kind, header);
  return smallEnough(data, info);
}

/** Close to the best quality of stored images, because they have already lost detail once. */
const NARROW_QUALITY = 80;

/** @throws DomainError PICTURE_TOO_LARGE, PICTURE_BROKEN */
export async function narrow(stored: Buffer, toWidth: number): Promise<Buffer> {
  if (!isWebp(stored)) throw new DomainError('PICTURE_BROKEN');
  checkHeader(await judged(input(stored).metadata()));
  const narrowed = input(stored).resize({ width: toWidth, withoutEnlargement: true });
  return judged(narrowed.webp({ quality: NARROW_QUALITY }).toBuffer());
}

const SHARE_MAX_BYTES = 300 * 1024;
const SHARE_QUALITIES = [84, 72, 60, 45, 30];
const DRAWINGS = { operation: ['VipsForeignLoadSvgBuffer'] };

/** @throws DomainError PICTURE_TOO_LARGE, PICTURE_BROKEN */
export async function cutCover({ cover, crop, width, height }: CoverPart): Promise<Buffer> {
  const whole = await judged(input(cover).metadata());
  const part = computePart(crop ?? MIDDLE, width / height, whole);
  const pixels = (length: number) => Math.max(1, Math.floor(length));
  const cut = input(cover).extract({
    ...{ left: Math.floor(part.x), top: Math.floor(part.y) },
    ...{ width: pixels(part.width), height: pixels(part.height) },
  });
  return smallJpeg(cut.resize({ width, height, fit: 'cover' }));
}

/**
 * Enables the SVG decoder only while it draws.
 * @throws DomainError PICTURE_TOO_LARGE, PICTURE_BROKEN
 */
export async function draw({ svg, format, logo }: Drawing): Promise<Buffer> {
  const image = sharp(Buffer.from(svg));
  if (logo !== undefined) {
    const size = { width: logo.side, height: logo.side, fit: 'inside' } as const;
    image.composite([{ input: await judged(input(logo.webp).resize(size).png().toBuffer()) }]);
  }
  sharp.unblock(DRAWINGS);
  try {
    return await (format === 'jpeg' ? smallJpeg(image) : judged(image.png().toBuffer()));
  } finally {
    sharp.block(DRAWINGS);
  }
}

async function smallJpeg(image: Image): Promise<Buffer> {
  const { data, info } = await judged(
    image.flatten({ background: '#fff' }).raw().toBuffer({ resolveWithObject: true }),
  );
  const { width, height, channels } = info;
  for (const quality of SHARE_QUALITIES) {
    const jpeg = await sharp(data, { raw: { width, height, channels } }).jpeg({ quality }).toBuffer();
    if (jpeg.length <= SHARE_MAX_BYTES) return jpeg;
  }
  throw new DomainError('PICTURE_TOO_LARGE');
}

function checkHeader(header: Metadata): void {
  const { width, height, channels, depth, pages = 1, format, compression, isProgressive } = header;
  if (format === 'heif' && compression !== 'av1') throw new DomainError('PICTURE_TYPE');
  const atOnce = format === 'heif' || isProgressive === true;
  const mostPixels = atOnce ? PICTURES.maxPixelsAtOnce : PICTURES.maxPixels;
  const unpacked = width * height * channels * (BYTES_PER_SAMPLE[depth] ?? WIDEST_SAMPLE) * pages;
  if (width * height > mostPixels || pages > MAX_FRAMES || unpacked > PICTURES.maxUnpacked)
    throw new DomainError('PICTURE_TOO_LARGE');
}

function pixels(bytes: Buffer, kind: PictureKind, { hasAlpha }: Metadata) {
  const { avatarSize, bannerWidth, logoSize } = PICTURES;
  const inside = { fit: 'inside', withoutEnlargement: true } as const;
  const size =
    kind === 'avatars'
      ? ({ width: avatarSize, height: avatarSize, fit: 'cover' } as const)
      : kind === 'community'
        ? { width: logoSize, height: logoSize, ...inside }
        : {
            width: bannerWidth,
            height: bannerWidth * (hasAlpha ? BANNER_HEIGHT_TRANSPARENT : BANNER_HEIGHT),
            ...inside,
          };
  const upright = input(bytes).autoOrient().resize(size).toColourspace('srgb');
  return judged(upright.raw().toBuffer({ resolveWithObject: true }));
}

async function smallEnough(data: Buffer, { width, height, channels }: OutputInfo): Promise<Reencoded> {
  const raw = { width, height, channels };
  const detail = await bytesOfDetail(data, raw);
  for (let scale = 1; ; scale *= HALF) {
    const scaled = Math.max(1, Math.round(width * scale));
    for (const { quality, share } of QUALITIES) {
      if (detail * share * scale ** 2 > PICTURES.maxStoredBytes) continue;
      const { data: webp, info } = await sharp(data, { raw })
        .resize({ width: scaled })
        .webp({ quality })
        .toBuffer({ resolveWithObject: true });
      if (webp.length <= PICTURES.maxStoredBytes) return { webp, width: info.width, height: info.height };
    }
  }
}

/** Returns the size of a JPEG as a measure of detail. Encoding it line by line needs little memory. */
async function bytesOfDetail(data: Buffer, raw: Raw): Promise<number> {
  const quality = QUALITIES[0]?.quality;
  const colours = await sharp(data, { raw }).removeAlpha().jpeg({ quality }).toBuffer();
  if (raw.channels % 2 === 1) return colours.length;
  const transparency = await sharp(data, { raw }).extractChannel('alpha').jpeg({ quality }).toBuffer();
  return colours.length + transparency.length;
}

async function judged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const tooLarge = error instanceof Error && /pixel limit|memory/i.test(error.message);
    throw new DomainError(tooLarge ? 'PICTURE_TOO_LARGE' : 'PICTURE_BROKEN', undefined, { cause: error });
  }
}
