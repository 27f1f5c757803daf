import { createHash } from 'node:crypto';
import type { CoverCrop } from '@meetmark/contracts';
import { chosenPattern, coverPattern } from '@meetmark/contracts/events/cover-pattern';
import { DEFAULT_BRAND } from '@meetmark/contracts/palette';
import { anEventPage } from '@meetmark/testing/factories/samples';
import sharp from 'sharp';
import { PictureDecoder } from './decoder.js';
import { draw, useOnlyOurDecoders } from './reencode.js';
import { communitySvg, eventSvg, SHARE_IMAGES } from './share-image.js';

const { both: colours } = DEFAULT_BRAND;
const { wide, square } = SHARE_IMAGES;

describe('share images in the decoder', () => {
  const decoder = new PictureDecoder();
  decoder.settings.picture = 60_000;
  afterAll(() => decoder.onApplicationShutdown());

  const drawn = (svg: string) => decoder.draw({ svg, format: 'jpeg' });
  const pixelAt = async (jpeg: Buffer, left: number, top: number) => {
    const pixel = await sharp(jpeg).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
    return [...pixel];
  };

  it.each([
    ['usual', 900, 3, 60],
    ['tallest', 3_200, 3, 5],
    ['tallest transparent', 1_600, 4, 5],
  ] as const)(
    'have at most 300 kB for the most detailed %s cover, within the memory limit',
    async (_, height, channels, quality) => {
      const outputLength = 1_600 * height * channels;
      const noise = createHash('shake256', { outputLength }).update('cover').digest();
      const image = sharp(noise, { raw: { width: 1_600, height, channels } });
      const cover = await image.webp({ quality, effort: 0 }).toBuffer();
      const jpeg = await decoder.draw({ ...wide, cover, crop: null });
      expect(jpeg.length).toBeLessThanOrEqual(300 * 1024);
      expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', ...wide });
    },
  );

  /** Returns a cover with a red, a green and a blue third, side by side or one below the other. */
  const thirds = (width: number, height: number) => {
    const [across, down] = width > height ? [1, 0] : [0, 1];
    const size = { width: across ? width / 3 : width, height: down ? height / 3 : height };
    return sharp({ create: { width, height, channels: 3, background: '#f00' } })
      .composite(
        ['#0f0', '#00f'].map((background, index) => ({
          input: { create: { ...size, channels: 3, background } },
          left: across * size.width * (index + 1),
          top: down * size.height * (index + 1),
        })),
      )
      .webp({ lossless: true })
      .toBuffer();
  };
  const dominant = async (jpeg: Buffer) => {
    const { r, g, b } = (await sharp(jpeg).stats()).dominant;
    return ['red', 'green', 'blue'].find((_, at) => [r, g, b][at]! > 128);
  };
  it.each<[seen: string, CoverCrop | null]>([
    ['green', null],
    ['red', { x: 0, y: 0.5, zoom: 1 }],
    ['blue', { x: 1, y: 1, zoom: 1 }],
    ['blue', { x: 0.9, y: 0, zoom: 3 }],
  ])('show the %s part of a cover for the crop %j, in both shapes', async (seen, crop) => {
    const cut = await decoder.draw({ ...square, cover: await thirds(900, 300), crop });
    expect(await sharp(cut).metadata()).toMatchObject({ format: 'jpeg', ...square });
    expect(await dominant(cut)).toBe(seen);
    const turned = crop && { ...crop, x: crop.y, y: crop.x };
    const shared = await decoder.draw({ ...wide, cover: await thirds(300, 900), crop: turned });
    expect(await dominant(shared)).toBe(seen);
  });

  it('show white where a cover is transparent', async () => {
    const create = { width: 90, height: 90, channels: 4, background: '#0000' } as const;
    const cover = await sharp({ create }).webp().toBuffer();
    const jpeg = await decoder.draw({ ...wide, cover, crop: null });
    expect(await pixelAt(jpeg, 600, 300)).toEqual([255, 255, 255]);
  });

  it.each([null, 8])('show the pattern of the event’s card, wide and square: %s', async (number) => {
    const event = { id: anEventPage().id, coverPattern: number };
    const { covers } = colours;
    const pattern = number === null ? coverPattern(event.id, covers) : chosenPattern(number, covers);
    const jpegs = [];
    for (const size of [wide, square]) {
      const svg = eventSvg(event, colours, size);
      expect(svg).toContain(pattern);
      const jpeg = await drawn(svg);
      expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', ...size });
      jpegs.push(jpeg);
    }
    const other = await drawn(eventSvg({ ...event, coverPattern: 5 }, colours, wide));
    expect(jpegs[0]!.equals(other)).toBe(false);
  });

  it('show the colours of the community', async () => {
    const jpeg = await drawn(communitySvg({ ...colours, deep: '#204060' }));
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', ...wide });
    for (const [at, value] of (await pixelAt(jpeg, 20, 600)).entries())
      expect(Math.abs(value - [0x20, 0x40, 0x60][at]!)).toBeLessThan(4);
  });

  it('leave the SVG loader disabled after drawing', async () => {
    const svg = communitySvg(colours);
    useOnlyOurDecoders();
    try {
      await draw({ svg, format: 'png' });
      await expect(sharp(Buffer.from(svg)).metadata()).rejects.toThrow();
    } finally {
      sharp.unblock({ operation: ['VipsForeignLoad'] });
    }
  });
});
