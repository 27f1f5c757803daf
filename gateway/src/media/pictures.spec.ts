import { DomainError, PICTURES, type PictureKind } from '@meetmark/contracts';
import { createPng } from '@meetmark/testing/factories/pictures';
import sharp from 'sharp';
import { decodeDataUrl } from './pictures.js';
import { reencode } from './reencode.js';

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } });
const noise = (width: number, height: number) => {
  let seed = 1;
  const bytes = Buffer.alloc(width * height * 3);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = seed = (seed * 48_271) % 2_147_483_647;
  return sharp(bytes, { raw: { width, height, channels: 3 } });
};
async function animation(frames: number): Promise<Buffer> {
  const [black, white] = await Promise.all(['black', 'white'].map((background) => still(background)));
  const pictures = Array.from({ length: frames }, (_, n) => (n % 2 === 0 ? black! : white!));
  return sharp(pictures, { join: { animated: true } })
    .gif()
    .toBuffer();
}
const still = (background: string) =>
  sharp({ create: { width: 2, height: 2, channels: 3, background } })
    .png()
    .toBuffer();
const getResultCode = async (bytes: Buffer, kind: PictureKind = 'avatars') => {
  try {
    await reencode(bytes, kind);
    return 'taken';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};
const outcome = (work: () => unknown) => {
  try {
    work();
    return 'taken';
  } catch (error) {
    return (error as DomainError).code;
  }
};

describe('an uploaded image', () => {
  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('may have the format %s', async (format) => {
    const { webp, width, height } = await reencode(
      await canvas(300, 200).toFormat(format).toBuffer(),
      'avatars',
    );
    const stored = await sharp(webp).metadata();
    expect(stored).toMatchObject({ format: 'webp', width: PICTURES.avatarSize, height: PICTURES.avatarSize });
    expect([width, height]).toEqual([PICTURES.avatarSize, PICTURES.avatarSize]);
  });

  it('is converted to the same file each time', async () => {
    const png = await canvas(300, 200).png().toBuffer();
    expect(await reencode(png, 'banners')).toEqual(await reencode(png, 'banners'));
  });

  it('keeps its aspect ratio as a banner and is never enlarged', async () => {
    const size = async (width: number, height: number) => {
      const stored = await reencode(await canvas(width, height).png().toBuffer(), 'banners');
      return [stored.width, stored.height];
    };
    expect(await size(3_200, 900)).toEqual([1_600, 450]);
    expect(await size(640, 320)).toEqual([640, 320]);
    expect(await size(1, 1)).toEqual([1, 1]);
  });

  it('is reduced to one frame when it is animated', async () => {
    const { webp } = await reencode(await animation(3), 'avatars');
    expect((await sharp(webp).metadata()).pages ?? 1).toBe(1);
  });

  it('is turned upright and loses its metadata', async () => {
    const photo = await canvas(40, 20)
      .jpeg()
      .withExif({ IFD3: { GPSLatitude: '53/1 28/1 0/1' }, IFD0: { Copyright: 'somebody' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const { webp, width, height } = await reencode(photo, 'banners');
    const stored = await sharp(webp).metadata();
    expect([stored.exif, stored.xmp, stored.iptc, stored.icc, stored.orientation]).toEqual(
      Array(5).fill(undefined),
    );
    expect([width, height]).toEqual([20, 40]);
  });

  it('is stored within the maximum size, however detailed it is', async () => {
    const detailed = await noise(1_600, 1_600).png({ compressionLevel: 1 }).toBuffer();
    expect((await reencode(detailed, 'banners')).webp.length).toBeLessThanOrEqual(PICTURES.maxStoredBytes);
  });
});

describe('an unsupported file', () => {
  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['PDF', Buffer.from('%PDF-1.7\n')],
    ['BMP', Buffer.from('BM\x36\0\0\0\0\0\0\0', 'latin1')],
    ['HEIC', Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic')])],
    ['nothing', Buffer.alloc(0)],
  ])('is refused when its content is %s', async (_, bytes) => {
    expect(await getResultCode(bytes)).toBe('PICTURE_TYPE');
  });

  it('is refused when it is a TIFF', async () => {
    expect(await getResultCode(await canvas(10, 10).tiff().toBuffer())).toBe('PICTURE_TYPE');
  });

  it('is refused when only its first bytes look like an image', async () => {
    for (const start of [
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff',
      'GIF89a',
      'RIFF\x10\0\0\0WEBPVP8 ',
      '\0\0\0\x18ftypavif',
    ])
      expect(await getResultCode(Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(100, 7)]))).toBe(
        'PICTURE_BROKEN',
      );
  });

  it.each(['png', 'jpeg', 'webp', 'avif'] as const)(
    'is refused when it is the first half of a %s',
    async (format) => {
      const whole = await noise(200, 200).toFormat(format).toBuffer();
      expect(await getResultCode(whole.subarray(0, whole.length / 2))).toBe('PICTURE_BROKEN');
    },
  );
});

describe('the size limits of an image', () => {
  /** Returns a PNG whose header claims the given size. Its data unpacks to 10 MB. */
  const pngBomb = (width: number, height: number) => createPng(width, height, 10_000_000);
  const MEGA = 1_000_000;

  it('apply to the size in the header, before the image is unpacked', async () => {
    const bomb = pngBomb(60_000, 60_000);
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 200; i += 1) expect(await getResultCode(bomb, 'banners')).toBe('PICTURE_TOO_LARGE');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('allow at most sixteen megapixels', async () => {
    expect(await getResultCode(pngBomb(4_001, 4_000))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(pngBomb(1_000, 16_001))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(await canvas(4_000, 4_000).png().toBuffer())).toBe('taken');
    expect(await getResultCode(await canvas(4_000, 4_000).jpeg().toBuffer())).toBe('taken');
  });

  it.each<[string, (width: number) => Promise<Buffer>]>([
    ['AVIF', (width) => canvas(width, 2_000).avif({ effort: 0 }).toBuffer()],
    ['interlaced PNG', (width) => canvas(width, 2_000).png({ progressive: true }).toBuffer()],
    ['progressive JPEG', (width) => canvas(width, 2_000).jpeg({ progressive: true }).toBuffer()],
  ])('allow at most four megapixels for the format %s', async (_, make) => {
    expect(await getResultCode(await make(2_001))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(await make(2_000))).toBe('taken');
  });

  it('count two bytes per 16-bit sample towards the limit of 64 MB', async () => {
    const deep = (height: number) =>
      sharp({ create: { width: 4_000, height, channels: 4, background: 'red' } })
        .toColourspace('rgb16')
        .png()
        .toBuffer();
    const rows = Math.floor(PICTURES.maxUnpacked / (4_000 * 4 * 2));
    expect(4_000 * rows).toBeLessThan(16 * MEGA);
    expect(await getResultCode(await deep(rows + 1))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(await deep(rows))).toBe('taken');
  });

  it('count all frames towards the limit of 64 MB', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 1_000, height: 1_000, channels: 3, background } })
        .png()
        .toBuffer();
    const [black, white] = await Promise.all([frame('black'), frame('white')]);
    const animated = (frames: number) =>
      sharp(
        Array.from({ length: frames }, (_, n) => (n % 2 === 0 ? black! : white!)),
        { join: { animated: true } },
      )
        .gif({ effort: 1 })
        .toBuffer();
    expect(await getResultCode(await animated(24))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(await animated(16))).toBe('taken');
  });

  it('allow at most five hundred frames, however small', async () => {
    expect(await getResultCode(await animation(500))).toBe('taken');
    expect(await getResultCode(await animation(501))).toBe('PICTURE_TOO_LARGE');
  });
});

describe('a data URL', () => {
  it('is decoded whatever media type it declares', () => {
    expect(decodeDataUrl('data:text/html;base64,aGk=').toString()).toBe('hi');
  });

  it.each([
    ['data:image/svg+xml,<svg/>', 'PICTURE_TYPE'],
    ['data:image/png', 'PICTURE_TYPE'],
    ['data:image/png;base64,', 'PICTURE_BROKEN'],
    ['data:image/png;base64,a b', 'PICTURE_BROKEN'],
    ['data:image/png;base64,a===', 'PICTURE_BROKEN'],
  ])('is refused when it is %s', (url, code) => {
    expect(outcome(() => decodeDataUrl(url))).toBe(code);
  });

  it('may hold up to five megabytes', () => {
    const url = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`;
    expect(decodeDataUrl(url(PICTURES.maxBytes))).toHaveLength(PICTURES.maxBytes);
    expect(outcome(() => decodeDataUrl(url(PICTURES.maxBytes + 1)))).toBe('PICTURE_TOO_LARGE');
    expect(outcome(() => decodeDataUrl(url(PICTURES.maxBytes * 2)))).toBe('PICTURE_TOO_LARGE');
  });
});
