import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { PictureKind } from '@meetmark/contracts';
import { MIDDLE, partOf } from '@meetmark/contracts/cover-crop';
import { DomainError } from '@meetmark/contracts/errors';
import { PICTURES } from '@meetmark/contracts/limits';
import type Sharp from 'sharp';
import type { Metadata, OutputInfo, OverlayOptions, Raw } from 'sharp';
import type { ShareDrawing } from './decoder.js';
import type { SetWords } from './share-picture.js';

/** With `import`, Node reads all its modules for the names they export: 15 of the 120 ms in which the decoder starts. */
const sharp = createRequire(import.meta.url)('sharp') as typeof Sharp;

const at = (bytes: Buffer, offset: number, text: string) =>
  bytes.toString('latin1', offset, offset + text.length) === text;

const BRANDS_END = 64;

/** Whether the content begins like an accepted format, whatever its label says. SVG is none. */
function isTakenFormat(bytes: Buffer): boolean {
  return isPng(bytes) || isJpeg(bytes) || isWebp(bytes) || isGif(bytes) || isAvif(bytes);
}

const isPng = (bytes: Buffer) => at(bytes, 0, '\x89PNG\r\n\x1a\n');
const isJpeg = (bytes: Buffer) => at(bytes, 0, '\xff\xd8\xff');
const isWebp = (bytes: Buffer) => at(bytes, 0, 'RIFF') && at(bytes, 8, 'WEBP');
const isGif = (bytes: Buffer) => at(bytes, 0, 'GIF87a') || at(bytes, 0, 'GIF89a');

/** An ISO media file with an AVIF brand; HEIC has others. */
function isAvif(bytes: Buffer): boolean {
  if (!at(bytes, 4, 'ftyp')) return false;
  const end = Math.min(bytes.readUInt32BE(0), BRANDS_END, bytes.length);
  return /avif|avis/.test(bytes.toString('latin1', 8, end));
}

/** Only the first frame of an animation is kept; one with more frames than this is refused. */
const MAX_FRAMES = 500;
/** The greatest height of a banner, in widths. */
const BANNER_HEIGHT = 2;
/** Compressing transparency takes several times the memory of the picture, so a transparent banner is at most square. */
const BANNER_HEIGHT_TRANSPARENT = 1;
/**
 * Tried in this order until the file is small enough; then again at half the size. `share` is the usual size of the file, in sizes of
 * a JPEG of the best quality: a vain attempt costs a second and a hundred megabytes.
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
/** No accepted format has wider samples. */
const WIDEST_SAMPLE = 8;

sharp.cache(false); // every picture is read once
sharp.concurrency(1);

/** From now on this process uses no other decoder of the library, whatever a file claims to be. */
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

const input = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: PICTURES.maxPixels, failOn: 'error', pages: 1, sequentialRead: true });

/**
 * A new WebP from an upload: nothing of the original file survives but its pixels. Only the decoder process may call it, because a
 * header can lie about the memory that its picture takes.
 * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN
 */
export async function reencode(bytes: Buffer, kind: PictureKind): Promise<Reencoded> {
  if (!isTakenFormat(bytes)) throw new DomainError('PICTURE_TYPE');
  const header = await judged(input(bytes).metadata());
  checkHeader(header);
  const { data, info } = await pixels(bytes, kind, header);
  return smallEnough(data, info);
}

/** Nearly that of the best that is kept: it is the second time that the picture loses something. */
const NARROW_QUALITY = 80;

/** A WebP that `reencode` made, at most so many pixels wide. @throws DomainError PICTURE_TOO_LARGE, PICTURE_BROKEN */
export async function narrow(stored: Buffer, toWidth: number): Promise<Buffer> {
  if (!isWebp(stored)) throw new DomainError('PICTURE_BROKEN');
  checkHeader(await judged(input(stored).metadata()));
  const narrowed = input(stored).resize({ width: toWidth, withoutEnlargement: true });
  return judged(narrowed.webp({ quality: NARROW_QUALITY }).toBuffer());
}

const SHARE_MAX_BYTES = 300 * 1024;
const SHARE_QUALITIES = [84, 72, 60, 45, 30];
const DRAWINGS = { operation: ['VipsForeignLoadSvgBuffer'] };

/** The side of a drawing of an icon. */
const ICON_SIDE = 32;

const FONTS = new URL('../../dist/fonts/', import.meta.url);
/** Font files that this process has registered with the library. */
const told = new Set<string>();
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Words in white, as many as their box has room for; null without room for any. */
async function setInBox({
  words,
  families,
  files,
  size,
  lines,
  left,
  width,
  height,
  bottom,
  fromRight,
}: SetWords) {
  for (const file of files.filter((each) => !told.has(each))) {
    await sharp({ text: { text: '.', fontfile: fileURLToPath(new URL(file, FONTS)) } }).metadata();
    told.add(file);
  }
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(words)];
  const set = (count: number) => {
    const shown = letters.slice(0, count).map(({ segment }) => segment);
    const text = count < letters.length ? `${shown.join('').trimEnd()}…` : words;
    const escaped = text.replaceAll(/[&<>]/g, (each) => ESCAPED[each]!);
    return sharp({
      text: {
        text: `<span foreground="white" insert_hyphens="false">${escaped}</span>`,
        font: `${families.join(',')}, Bold ${size}`,
        ...{ dpi: 72, rgba: true, width, wrap: lines > 1 ? 'word-char' : 'none' },
      },
    });
  };
  const fits = async (count: number) => {
    const found = await set(count).metadata();
    return found.width <= width && found.height <= height;
  };
  let most = letters.length;
  if (!(await fits(most)))
    for (let [least, beyond] = [0, most]; beyond - least > 1;) {
      const middle = Math.floor((least + beyond) / 2);
      if (await fits(middle)) most = least = middle;
      else most = (beyond = middle) - 1;
    }
  if (most === 0) return null;
  const { data, info } = await set(most).png().toBuffer({ resolveWithObject: true });
  return {
    input: data,
    left: fromRight ? left + width - info.width : left,
    top: Math.round(bottom - info.height),
  };
}

/** The part of a cover that fills the size. */
async function cutCover(cover: Buffer, { crop, width, height }: ShareDrawing) {
  const whole = await judged(input(cover).metadata());
  const part = partOf(crop ?? MIDDLE, width / height, whole);
  const pixels = (length: number) => Math.max(1, Math.floor(length));
  return input(cover).extract({
    ...{ left: Math.floor(part.x), top: Math.floor(part.y) },
    ...{ width: pixels(part.width), height: pixels(part.height) },
  });
}

/** A JPEG of the drawing over the cover. Drawings are our own, so their reader is there for this one picture alone. */
export async function drawShare(drawing: ShareDrawing): Promise<Buffer> {
  const { overlay, words, cover } = drawing;
  const size = { width: drawing.width, height: drawing.height };
  const ground =
    cover === null
      ? sharp({ create: { ...size, channels: 3, background: '#000' } })
      : await cutCover(cover, drawing);
  const set: OverlayOptions[] = overlay === '' ? [] : [{ input: Buffer.from(overlay) }];
  for (const each of words) set.push(...[await judged(setInBox(each))].filter((input) => input !== null));
  sharp.unblock(DRAWINGS);
  try {
    const { data, info } = await judged(
      ground
        .resize({ ...size, fit: 'cover' })
        .composite(set)
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true }),
    );
    const { width, height, channels } = info;
    for (const quality of SHARE_QUALITIES) {
      const jpeg = await sharp(data, { raw: { width, height, channels } }).jpeg({ quality }).toBuffer();
      if (jpeg.length <= SHARE_MAX_BYTES) return jpeg;
    }
    throw new DomainError('PICTURE_TOO_LARGE');
  } finally {
    sharp.block(DRAWINGS);
  }
}

export async function drawIcon({ icon, size }: { icon: string; size: number }): Promise<Buffer> {
  sharp.unblock(DRAWINGS);
  try {
    const density = (72 * size) / ICON_SIDE;
    return await judged(sharp(Buffer.from(icon), { density }).resize(size, size).png().toBuffer());
  } finally {
    sharp.block(DRAWINGS);
  }
}

/** Before decoding. */
function checkHeader(header: Metadata): void {
  const { width, height, channels, depth, pages = 1, format, compression, isProgressive } = header;
  if (format === 'heif' && compression !== 'av1') throw new DomainError('PICTURE_TYPE');
  const atOnce = format === 'heif' || isProgressive === true;
  const mostPixels = atOnce ? PICTURES.maxPixelsAtOnce : PICTURES.maxPixels;
  const unpacked = width * height * channels * (BYTES_PER_SAMPLE[depth] ?? WIDEST_SAMPLE) * pages;
  if (width * height > mostPixels || pages > MAX_FRAMES || unpacked > PICTURES.maxUnpacked)
    throw new DomainError('PICTURE_TOO_LARGE');
}

/** Upright, in the size that is kept, without the metadata of the original. */
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

/** The amount of detail: the size as JPEGs, which are made line by line. */
async function bytesOfDetail(data: Buffer, raw: Raw): Promise<number> {
  const quality = QUALITIES[0]?.quality;
  const colours = await sharp(data, { raw }).removeAlpha().jpeg({ quality }).toBuffer();
  if (raw.channels % 2 === 1) return colours.length;
  const transparency = await sharp(data, { raw }).extractChannel('alpha').jpeg({ quality }).toBuffer();
  return colours.length + transparency.length;
}

/** Turns errors of the library into refusals. */
async function judged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const tooLarge = error instanceof Error && /pixel limit|memory/i.test(error.message);
    throw new DomainError(tooLarge ? 'PICTURE_TOO_LARGE' : 'PICTURE_BROKEN', undefined, { cause: error });
  }
}
