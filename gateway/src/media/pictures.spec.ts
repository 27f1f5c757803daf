import { DomainError, PICTURES, type PictureKind } from '@meetmark/contracts';
import { createPng } from '@meetmark/testing/factories/pictures';
import sharp from 'sharp';
import { decodeDataUrl } from './pictures.js';
import { reencode } from './reencode.js';

/** Options of a PNG that is fast to make. */
const FAST = { compressionLevel: 1 };
const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } });
const noise = (width: number, height: number) => {
  let seed = 1;
  const bytes = Buffer.alloc(width * height * 3);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = seed = (seed * 48_271) % 2_147_483_647;
  return sharp(bytes, { raw: { width, height, channels: 3 } });
};
/** Returns a GIF with frames of `side` by `side` pixels. */
async function animation(frames: number, side = 2): Promise<Buffer> {
  const size = { width: side, height: side, channels: 3 } as const;
  const [black, white] = await Promise.all(
    ['black', 'white'].map((background) =>
      sharp({ create: { ...size, background } })
        .png()
        .toBuffer(),
    ),
  );
  const pictures = Array.from({ length: frames }, (_, n) => (n % 2 === 0 ? black! : white!));
  return sharp(pictures, { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer();
}
const getErrorCode = (error: unknown) => {
  if (error instanceof DomainError) return error.code;
  throw error;
};
const getResultCode = (bytes: Buffer, kind: PictureKind = 'avatars') =>
  reencode(bytes, kind).then(() => 'taken', getErrorCode);

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
    const detailed = await noise(1_000, 1_000).png(FAST).toBuffer();
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
    ['TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['nothing', Buffer.alloc(0)],
  ])('is refused when its content is %s', async (_, bytes) => {
    expect(await getResultCode(bytes)).toBe('PICTURE_TYPE');
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

  it('allow at most sixteen megapixels', async () => {
    expect(await getResultCode(pngBomb(4_001, 4_000))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(pngBomb(60_000, 60_000), 'banners')).toBe('PICTURE_TOO_LARGE');
    const [png, jpeg] = [canvas(4_000, 4_000).png(FAST), canvas(4_000, 4_000).jpeg()];
    for (const image of [png, jpeg]) expect(await getResultCode(await image.toBuffer())).toBe('taken');
  });

  it.each<[string, (width: number) => Promise<Buffer>]>([
    ['AVIF', (width) => canvas(width, 2_000).avif({ effort: 0 }).toBuffer()],
    [
      'interlaced PNG',
      (width) =>
        canvas(width, 2_000)
          .png({ ...FAST, progressive: true })
          .toBuffer(),
    ],
    ['progressive JPEG', (width) => canvas(width, 2_000).jpeg({ progressive: true }).toBuffer()],
  ])('allow at most four megapixels for the format %s', async (_, make) => {
    expect(await getResultCode(await make(2_001))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(await make(2_000))).toBe('taken');
  });

  it('count two bytes per 16-bit sample towards the limit of 64 MB', async () => {
    const deep = (height: number) =>
      sharp({ create: { width: 4_000, height, channels: 4, background: 'red' } })
        .toColourspace('rgb16')
        .png(FAST)
        .toBuffer();
    const rows = Math.floor(PICTURES.maxUnpacked / (4_000 * 4 * 2));
    expect(4_000 * rows).toBeLessThan(16 * MEGA);
    expect(await getResultCode(await deep(rows + 1))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(await deep(rows))).toBe('taken');
  });

  it('count all frames towards the limit of 64 MB', async () => {
    expect(await getResultCode(await animation(23, 1_000))).toBe('PICTURE_TOO_LARGE');
    expect(await getResultCode(await animation(15, 1_000))).toBe('taken');
  });

  it('allow at most five hundred frames, however small', async () => {
    expect(await getResultCode(await animation(500))).toBe('taken');
    expect(await getResultCode(await animation(501))).toBe('PICTURE_TOO_LARGE');
  });
});

describe('a data URL', () => {
  const build = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`;

  it('is decoded whatever media type it declares', () => {
    expect(decodeDataUrl('data:text/html;base64,aGk=').toString()).toBe('hi');
  });

  it('may hold up to five megabytes', () => {
    expect(decodeDataUrl(build(PICTURES.maxBytes))).toHaveLength(PICTURES.maxBytes);
  });

  it.each([
    ['SVG as text', 'data:image/svg+xml,<svg/>', 'PICTURE_TYPE'],
    ['without a comma', 'data:image/png', 'PICTURE_TYPE'],
    ['empty', 'data:image/png;base64,', 'PICTURE_BROKEN'],
    ['not base64', 'data:image/png;base64,a b', 'PICTURE_BROKEN'],
    ['padded too much', 'data:image/png;base64,a===', 'PICTURE_BROKEN'],
    ['a byte too large', build(PICTURES.maxBytes + 1), 'PICTURE_TOO_LARGE'],
    ['much too large', build(PICTURES.maxBytes * 2), 'PICTURE_TOO_LARGE'],
  ] as const)('is refused when it is %s', (_, url, code) => {
    expect(() => decodeDataUrl(url)).toThrow(expect.objectContaining({ code }));
  });
});
