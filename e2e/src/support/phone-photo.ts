import sharp from 'sharp';

/** Returns a JPEG of 48 megapixels and 8 MB that is rotated and has GPS data. */
export function phonePhoto(): Promise<Buffer> {
  const [width, height] = [8_000, 6_000];
  const bytes = Buffer.alloc(width * height * 3);
  for (let i = 0, seed = 1; i < bytes.length; i += 40) bytes[i] = seed = (seed * 48_271) % 2_147_483_647;
  return sharp(bytes, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD3: { GPSLatitude: '53/1 28/1 0/1' } })
    .toBuffer();
}

export async function readShape(dataUrl: string) {
  const { width, height, exif } = await sharp(Buffer.from(dataUrl.split(',')[1] ?? '', 'base64')).metadata();
  return { width, height, exif };
}

export const stripes = (colours: readonly string[]): Promise<Buffer> =>
  sharp({ create: { width: 400, height: 600, channels: 3, background: '#000' } })
    .composite(
      colours.map((background, n) => ({
        input: { create: { width: 400, height: 200, channels: 3, background } },
        left: 0,
        top: n * 200,
      })),
    )
    .png()
    .toBuffer();

/**
 * Returns the red, green and blue of the centre pixel, each rounded to 0 or 1. Compression changes colours
 * slightly.
 */
export async function readColour(bytes: Buffer): Promise<number[]> {
  const picture = sharp(bytes);
  const { width, height } = await picture.metadata();
  const pixel = await picture
    .extract({ left: width >> 1, top: height >> 1, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  return [...pixel].map((value) => Math.round(value / 255));
}
