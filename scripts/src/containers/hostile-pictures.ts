import { inTurns } from '@meetmark/testing';
import { createPng, withPicture } from '@meetmark/testing/factories/pictures';
import sharp, { type Sharp } from 'sharp';

const MEGABYTE = 1024 * 1024;

export interface Hostile {
  name: string;
  url: string;
  inside: boolean;
}

/**
 * Returns images within the limits (`inside`), and files with too many pixels, too many bytes or bad content.
 */
export async function hostilePictures(): Promise<Hostile[]> {
  const flat = (width: number, height: number, channels: 3 | 4 = 3) =>
    sharp({
      create: { width, height, channels, background: { r: 9, g: 80, b: 40, alpha: 0.5 } },
      limitInputPixels: false,
    });
  const noise = (width: number, height: number, channels: 3 | 4) => {
    const bytes = Buffer.alloc(width * height * channels);
    let seed = 1;
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = seed = (seed * 48_271) % 2_147_483_647;
    return sharp(bytes, { raw: { width, height, channels } });
  };
  const turned = { orientation: 6 };
  const interlaced = { progressive: true };
  const made: [string, boolean, Sharp | Buffer][] = [
    ['JPEG of 16 megapixels, turned', true, flat(4_000, 4_000).jpeg().withMetadata(turned)],
    ['detailed JPEG', true, noise(3_000, 2_000, 3).jpeg({ quality: 30 })],
    ['progressive JPEG of 4', true, flat(2_000, 2_000).jpeg({ ...interlaced, chromaSubsampling: '4:4:4' })],
    ['progressive JPEG of 16', false, flat(4_000, 4_000).jpeg({ progressive: true })],
    ['progressive JPEG of 40', false, flat(8_000, 5_000).jpeg({ progressive: true })],
    ['JPEG of 40', false, flat(8_000, 5_000).jpeg()],
    ['PNG of 16, turned', true, flat(4_000, 4_000, 4).png().withMetadata(turned)],
    ['detailed PNG of 4 MB', true, noise(1_100, 1_100, 3).png({ compressionLevel: 1 })],
    ['PNG of 8 with 16 bits', true, flat(2_800, 2_800, 4).toColourspace('rgb16').png()],
    ['interlaced PNG of 4, 16 bits', true, flat(2_000, 2_000, 4).toColourspace('rgb16').png(interlaced)],
    ['interlaced PNG of 16', false, flat(4_000, 4_000, 4).png({ progressive: true })],
    ['interlaced PNG of 40', false, flat(8_000, 5_000, 4).png({ progressive: true })],
    ['PNG of 2 gigapixels', false, createPng(50_000, 40_000)],
    ['WebP of 16', true, flat(4_000, 4_000, 4).webp({ effort: 0 }).withMetadata(turned)],
    ['lossless WebP of 16', true, flat(4_000, 4_000, 4).webp({ lossless: true, effort: 0 })],
    ['detailed WebP', true, noise(1_500, 1_500, 4).webp({ quality: 30, effort: 0 })],
    ['WebP of 40', false, flat(8_000, 5_000).webp({ effort: 0 })],
    ['GIF of 16', true, flat(4_000, 4_000, 4).gif({ effort: 1 })],
    ['GIF of 40', false, flat(8_000, 5_000).gif({ effort: 1 })],
    ['AVIF of 4', true, flat(2_000, 2_000, 4).avif({ effort: 0, chromaSubsampling: '4:4:4' })],
    ['detailed AVIF', true, noise(1_500, 1_500, 4).avif({ effort: 0, quality: 30 })],
    ['AVIF of 16', false, flat(4_000, 4_000).avif({ effort: 0 })],
    ['AVIF of 40', false, flat(6_300, 6_300).avif({ effort: 0 })],
    ['text', false, Buffer.alloc(5 * MEGABYTE, 'a')],
    ['more than 5 MB', false, Buffer.alloc(5 * MEGABYTE + 1, 7)],
    ['half a JPEG', false, (await noise(1_000, 1_000, 3).jpeg().toBuffer()).subarray(0, 50_000)],
  ];
  return inTurns(made, 1, async ([name, inside, picture]) => ({
    name,
    inside,
    url: withPicture(Buffer.isBuffer(picture) ? picture : await picture.toBuffer()),
  }));
}
