import { createHash } from 'node:crypto';
import { type CoverCrop, DomainError, GetBanner, GetEvent } from '@meetmark/contracts';
import { chosenPattern, coverPattern, patternUrl } from '@meetmark/contracts/events/cover-pattern';
import { DEFAULT_BRAND } from '@meetmark/contracts/palette';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage } from '@meetmark/testing/factories/samples';
import sharp from 'sharp';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import { PictureDecoder } from './decoder.js';
import { draw, useOnlyOurDecoders } from './reencode.js';
import { communitySvg, eventSvg, SHARE_IMAGES } from './share-image.js';

const { both: colours } = DEFAULT_BRAND;
const HASH = createHash('sha256').update('cover').digest('hex');
const FOR_EVER = 'public, max-age=31536000, immutable';

describe('share images in the decoder', () => {
  const decoder = new PictureDecoder();
  decoder.settings.picture = 60_000;
  afterAll(() => decoder.onApplicationShutdown());

  const { wide, square } = SHARE_IMAGES;
  const drawn = (svg: string) => decoder.draw({ svg, format: 'jpeg' });
  const pixelAt = async (jpeg: Buffer, left: number, top: number) => {
    const pixel = await sharp(jpeg).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
    return [...pixel];
  };

  const noise = (width: number, height: number, channels: 3 | 4) => {
    const outputLength = width * height * channels;
    const bytes = createHash('shake256', { outputLength }).update('cover').digest();
    return sharp(bytes, { raw: { width, height, channels } });
  };
  it.each([
    ['usual', 900, 3],
    ['tallest', 3_200, 3],
    ['tallest transparent', 1_600, 4],
  ] as const)(
    'have at most 300 kB for the most detailed %s cover, within the memory limit',
    async (_, height, channels) => {
      const cover = await noise(1_600, height, channels)
        .webp({ quality: height === 900 ? 60 : 5 })
        .toBuffer();
      const jpeg = await decoder.draw({ ...wide, cover, crop: null });
      expect(jpeg.length).toBeLessThanOrEqual(300 * 1024);
      expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
      const { pid } = decoder;
      await decoder.draw({ ...wide, cover, crop: null });
      expect(decoder.pid).toBe(pid);
    },
  );

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
    expect(await sharp(cut).metadata()).toMatchObject({ format: 'jpeg', width: 504, height: 504 });
    expect(await dominant(cut)).toBe(seen);
    const turned = crop && { ...crop, x: crop.y, y: crop.x };
    const shared = await decoder.draw({ ...wide, cover: await thirds(300, 900), crop: turned });
    expect(await sharp(shared).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    expect(await dominant(shared)).toBe(seen);
  });

  it('show white where a cover is transparent', async () => {
    const cover = await sharp({ create: { width: 90, height: 90, channels: 4, background: '#0000' } })
      .webp()
      .toBuffer();
    expect(await pixelAt(await decoder.draw({ ...wide, cover, crop: null }), 600, 300)).toEqual([
      255, 255, 255,
    ]);
  });

  it.each([null, 1, 8])('show the pattern of the event’s card, wide and square: %s', async (number) => {
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
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
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

describe('/media/share', () => {
  const event = anEventPage({
    version: 3,
    bannerImageUrl: `/media/banners/${HASH}.webp`,
    coverSquare: { x: 0, y: 0, zoom: 3 },
    coverWide: { x: 1, y: 1, zoom: 3 },
  });
  const draft = anEventPage({ status: 'draft' });
  const banners = played(GetBanner, () => ({ base64: '' }));
  let stack: TestGateway;
  let bannerReads = 0;
  let decoderWhenRead: number | undefined;
  beforeAll(async () => {
    const cover = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#000' } })
      .composite([
        {
          input: { create: { width: 800, height: 900, channels: 3, background: '#fff' } },
          left: 800,
          top: 0,
        },
      ])
      .webp()
      .toBuffer();
    banners.handler = () => {
      bannerReads += 1;
      return { base64: cover.toString('base64') };
    };
    const get = played(GetEvent, ({ eventId }, { identity }) => {
      if (eventId === draft.id && identity !== null) return draft;
      if (eventId !== event.id) throw new DomainError('EVENT_NOT_FOUND');
      decoderWhenRead ??= stack.gateway.app.get(PictureDecoder).pid;
      return event;
    });
    stack = await openTestGateway({ events: scenes(get, banners) });
  });
  afterAll(() => stack.close());

  const about = async (path: string) => {
    const { status, headers } = await stack.browser().get(path);
    return [status, headers.get('content-type'), headers.get('cache-control')];
  };

  it('draws each image once and starts the decoder before reading the event', async () => {
    const path = `/media/share/${event.id}-3.jpg`;
    const first = await Promise.all([1, 2, 3].map(() => about(path)));
    for (const answer of [...first, await about(path)]) expect(answer).toEqual([200, 'image/jpeg', FOR_EVER]);
    expect(bannerReads).toBe(1);
    expect(decoderWhenRead).toEqual(expect.any(Number));
  });

  it.each([
    ['wide', '', 1200, 630, 'white'],
    ['square', '?shape=square', 504, 504, 'black'],
  ] as const)('returns a JPEG of the %s part of the cover', async (_, query, width, height, colour) => {
    const answer = await fetch(`${stack.url}/media/share/${event.id}-3.jpg${query}`);
    const image = sharp(Buffer.from(await answer.arrayBuffer()));
    expect(await image.metadata()).toMatchObject({ format: 'jpeg', width, height });
    const { channels } = await image.stats();
    expect(Math.round(channels[0]!.mean / 255)).toBe(colour === 'white' ? 1 : 0);
  });

  it('redirects other versions of an image to the current one', async () => {
    for (const version of [1, 2, 4]) {
      const { status, headers } = await stack.browser().get(`/media/share/${event.id}-${version}.jpg`);
      expect([status, headers.get('location')]).toEqual([302, `/media/share/${event.id}-3.jpg`]);
    }
  });

  it('serves a square image of an event for emails', async () => {
    const path = `/media/share/${event.id}-3.jpg`;
    expect(await about(`${path}?shape=square`)).toEqual([200, 'image/jpeg', FOR_EVER]);
    const earlier = await stack.browser().get(`/media/share/${event.id}-2.jpg?shape=square`);
    expect([earlier.status, earlier.headers.get('location')]).toEqual([302, `${path}?shape=square`]);
    for (const file of [`${event.id}-3.jpg?shape=round`, 'community-1.jpg?shape=square']) {
      const { status, body } = await stack
        .browser()
        .get<{ details: { fields: object } }>(`/media/share/${file}`);
      expect([status, Object.keys(body.details.fields)]).toEqual([400, ['shape']]);
    }
  });

  it('serves patterns in the current colours with an unlimited cache lifetime', async () => {
    const current = patternUrl(3, colours.covers);
    expect(await about(current)).toEqual([200, 'image/svg+xml', FOR_EVER]);
    expect((await stack.browser().get(current)).text).toContain(chosenPattern(3, colours.covers));
    const other = await stack.browser().get(patternUrl(3, [['#111111', '#161616']]));
    expect([other.status, other.headers.get('location')]).toEqual([302, current]);
    for (const file of ['0-a.svg', '9-a.svg', '1.svg', '1-a.png', '1-%2e%2e.svg']) {
      const { status, body } = await stack.browser().get<{ code: string }>(`/media/patterns/${file}`);
      expect([file, status, body.code]).toEqual([file, 404, 'PICTURE_NOT_FOUND']);
    }
  });

  it('serves the community’s image for the current version of the settings', async () => {
    expect(await about('/media/share/community-1.jpg')).toEqual([200, 'image/jpeg', FOR_EVER]);
    const other = await stack.browser().get('/media/share/community-2.jpg');
    expect([other.status, other.headers.get('location')]).toEqual([302, '/media/share/community-1.jpg']);
  });

  it('hides a draft even from an administrator', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const path = `/media/share/${draft.id}-${draft.version}.jpg`;
    for (const client of [browser, stack.browser()]) expect((await client.get(path)).status).toBe(404);
  });

  it.each([
    'community.jpg',
    'community-x.jpg',
    `${anEventPage().id}-1.jpg`,
    'x-1.jpg',
    `${event.id}.jpg`,
    `${event.id}-3.png`,
    `${event.id}-x.jpg`,
  ])('returns 404 for %s', async (file) => {
    const { status, body } = await stack.browser().get<{ code: string }>(`/media/share/${file}`);
    expect([status, body.code]).toEqual([404, 'PICTURE_NOT_FOUND']);
  });
});
