import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CoverCrop, DomainError, type FontName, FONTS, GetBanner, GetEvent } from '@meetmark/contracts';
import { chosenPattern, coverPattern, patternUrl } from '@meetmark/contracts/cover-pattern';
import { DEFAULT_BRAND } from '@meetmark/contracts/palette';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage } from '@meetmark/testing/factories/samples';
import opentype from 'opentype.js';
import sharp from 'sharp';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import { PictureDecoder } from './decoder.js';
import {
  letterOutline,
  SHARE_PICTURE,
  shareDrawing,
  shareOverlay,
  squareDrawing,
  whenOf,
} from './share-picture.js';

const HASH = createHash('sha256').update('cover').digest('hex');
const WORDS = {
  title: 'Attribution breakfast',
  when: 'Wed, May 1, 2030',
  community: 'Northern Digital Marketers',
};
/** A dark drawing: what is bright are the words. */
const covers = [['#111111', '#161616', '#1b1b1b']];
const DRAWN = { id: anEventPage().id, coverPattern: null };
const GROUND = { drawn: DRAWN, colours: { ...DEFAULT_BRAND.both, covers } };
const FONT_FILES = fileURLToPath(new URL('../../dist/fonts/', import.meta.url));

describe('the words of a share picture', () => {
  const decoder = new PictureDecoder();
  // its limit of processor time holds: a busy machine is no failure
  decoder.settings.picture = 60_000;
  afterAll(() => decoder.onApplicationShutdown());

  /** How many of the pixels are nearly white. */
  const white = async (words: typeof WORDS) => {
    const jpeg = await decoder.draw(() => ({
      ...shareDrawing(words, { ...GROUND, hasCover: false }),
      cover: null,
    }));
    const { data } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
    return data.filter((value) => value > 220).length / data.length;
  };

  it('are there on a machine without fonts', async () => {
    expect(await white({ title: '', when: '', community: '' })).toBe(0);
    const one = await white(WORDS);
    expect(one).toBeGreaterThan(0.01);
    expect(await white({ ...WORDS, title: `${WORDS.title} and much more of it` })).toBeGreaterThan(one);
  });

  it.each([
    ['too long', 'Word '.repeat(60)],
    ['one long word', 'W'.repeat(255)],
    ['in letters with accents', 'Zoë’s Łódź café – £5 & "more" <b>'],
    ['in Cyrillic and Greek', 'Київська зустріч маркетологів: Αθήνα και Θεσσαλονίκη μαζί'],
    ['in letters that no font has', 'ᚠᚢᚦ meetup'],
  ])('stay within the picture when the title is %s', async (_, title) => {
    const overlay = shareOverlay({ ...WORDS, title }, { ...GROUND, hasCover: true });
    const xs = [...overlay.matchAll(/M(-?[\d.]+)/g)].map(([, x]) => Number(x));
    expect(Math.max(...xs)).toBeLessThanOrEqual(SHARE_PICTURE.width - 72);
    expect(overlay).not.toContain('NaN');
    expect(overlay).not.toContain('<b>');
  });

  it.each([
    ['Cyrillic', 'Събитие за маркетинг, Київ'],
    ['Greek', 'Πρωινό για το μάρκετινγκ'],
    ['Vietnamese', 'Buổi gặp mặt tiếp thị'],
    ['several alphabets', 'Київ, Αθήνα & Łódź'],
  ])('are drawn whole, in one family, in %s', async (_, title) => {
    const letters = [...title].filter((each) => /\p{L}/u.test(each));
    const drawn = (text: string) =>
      [
        ...shareOverlay({ title: text, when: '', community: '' }, { ...GROUND, hasCover: true }).matchAll(
          /Z/g,
        ),
      ].length;
    // each letter has an outline at least; leaving any of them out would leave fewer
    expect(drawn(title)).toBeGreaterThanOrEqual(letters.length);
    for (const letter of letters) expect(drawn(letter)).toBeGreaterThan(0);
    expect(await white({ title, when: '', community: '' })).toBeGreaterThan(0.005);
  });

  it.each(Object.keys(FONTS) as FontName[])(
    'are drawn in the chosen font %s, other alphabets as before',
    (font) => {
      const drawn = (title: string, chosen: FontName | null) =>
        shareOverlay({ title, when: 'Łódź', community: '', font: chosen }, { ...GROUND, hasCover: true });
      expect(drawn('Zoë', font)).not.toBe(drawn('Zoë', null));
      expect(drawn('Zoë', font)).not.toContain('NaN');
      const cyrillic = (overlay: string) => overlay.match(/d="[^"]*"/g)![0];
      expect(cyrillic(drawn('Київ', font))).toBe(cyrillic(drawn('Київ', null)));
      const icon = { side: 32, size: 20 };
      expect(letterOutline('M', { ...icon, font })).not.toBe(letterOutline('M', { ...icon, font: null }));
    },
  );

  it.each(['en-US', 'fr-FR', 'de-DE'])('keep the spaces of a date, which are narrow in %s', (locale) => {
    const span = { startDate: '2030-05-01T09:00:00.000Z', endDate: '2030-05-01T11:00:00.000Z' };
    const when = whenOf(anEventPage(span), { locale, timeZone: 'Europe/London' });
    const paths = (text: string) => shareOverlay({ ...WORDS, when: text }, { ...GROUND, hasCover: true });
    expect(when).toMatch(/\d/);
    expect(paths(when)).toBe(paths(when.replaceAll(/\s/g, ' ')));
  });

  it.each([
    ['en-US', 'Wed, May 1, 2030'],
    ['de-DE', 'Mi., 1. Mai 2030'],
  ])('say a whole day as its date alone, in %s as the community writes it', (locale, expected) => {
    const span = { startDate: '2030-04-30T23:00:00.000Z', endDate: '2030-05-01T23:00:00.000Z' };
    const community = { locale, timeZone: 'Europe/London' };
    expect(whenOf(anEventPage({ ...span, isAllDay: true }), community)).toBe(expected);
  });

  it.each([
    ['ᚠᚢᚦ meetup', ''],
    ['አዲስ 2030', ''],
    ['東京 ᚠᚢᚦ', ''],
    ['Search 🎉 ⚠️ 1️⃣', 'Search 1'],
    ['Search 🇬🇧 ☃', 'Search'],
  ])('are left out when letters are missing, and only signs otherwise: %s', (title, drawn) => {
    const drawing = (text: string) => shareDrawing({ ...WORDS, title: text }, { ...GROUND, hasCover: true });
    expect(drawing(title)).toEqual(drawing(drawn));
  });

  describe('that the library of pictures sets', () => {
    /** Is never told of a font: a box stands for each letter. */
    const bare = new PictureDecoder();
    afterAll(() => bare.onApplicationShutdown());

    const drawingOf = (title: string, small: string) => ({
      ...shareDrawing({ title, when: small, community: small }, { ...GROUND, hasCover: false }),
      cover: null,
    });
    const drawing = (title: string) => drawingOf(title, '');
    const half = SHARE_PICTURE.width / 2;
    /** Of the brightest pixel in a strip of the picture. */
    const brightest = async (jpeg: Buffer, left: number, width: number) => {
      const strip = { left, top: 0, width, height: SHARE_PICTURE.height };
      const data = await sharp(jpeg).extract(strip).greyscale().raw().toBuffer();
      return data.reduce((most, value) => Math.max(most, value), 0);
    };

    it.each([
      ['Arabic', 'مؤتمر التسويق', true],
      ['Persian', 'می‌خواهم یاد بگیرم', true],
      ['Hebrew', 'שיווק דיגיטלי', true],
      ['Chinese', '数字营销早餐会', false],
      ['traditional Chinese', '數位行銷早餐會', false],
      ['Japanese', '東京の夕べ', false],
      ['Korean', '서울 마케팅', false],
      ['Hindi', 'डिजिटल मार्केटिंग', false],
      ['Thai', 'การตลาด', false],
      ['several alphabets', 'Київ & 東京', false],
    ])('are whole, in letters and no boxes, from their side, in %s', async (_, title, fromRight) => {
      const { words, ...rest } = drawing(title);
      expect(words).toMatchObject([{ words: title, fromRight }]);
      const fonts = words[0]!.files.map((file) => opentype.loadSync(`${FONT_FILES}${file}`));
      const isThere = (letter: string) => fonts.some((font) => font.charToGlyphIndex(letter) > 0);
      expect([...title].filter((letter) => !isThere(letter))).toEqual([]);
      const jpeg = await decoder.draw(() => ({ ...rest, words }));
      const boxes = await bare.draw(() => ({ ...rest, words: [{ ...words[0]!, files: [] }] }));
      expect(jpeg.equals(boxes)).toBe(false);
      expect(await brightest(jpeg, fromRight ? half : 0, half)).toBeGreaterThan(220);
      expect(await brightest(jpeg, fromRight ? 0 : half, half)).toBeLessThan(128);
    });

    it('are joined where their script joins them', async () => {
      const pixels = async (title: string) => {
        const jpeg = await decoder.draw(() => drawing(title));
        const { data } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
        return data.filter((value) => value > 128).length;
      };
      expect(await pixels('ببب')).not.toBe(await pixels('ب‌ب‌ب'));
      expect(await pixels('क्ष')).not.toBe(await pixels('क्‌ष'));
    });

    const ideographs = (family: string) =>
      (JSON.parse(readFileSync(`${FONT_FILES}fonts.json`, 'utf8')) as { family: string; letters: string }[])
        .filter((font) => font.family.includes(family))
        .flatMap(({ letters }) => /\p{Script=Han}/u.exec(letters) ?? [])
        .join('');
    it('stay within the picture, the memory and the time of the decoder whatever they are', async () => {
      const alphabets = 'مرحبا שלום नमस्ते สวัสดี 你好 こんにちは 안녕 Київ Ελλάδα Łódź '.repeat(4);
      await decoder.draw(() => drawing('字'));
      const { pid } = decoder;
      for (const title of [
        `あ${ideographs(' JP')}`,
        ideographs(' SC'),
        alphabets,
        '字'.repeat(255),
        'م'.repeat(255),
        'क्ष्म्य'.repeat(36),
        `み${'é\u0302\u0303'.repeat(80)}`,
        'ﷺ﷽'.repeat(120),
        '\u202eلا \ud800 字 </span> 👩‍🚀',
      ]) {
        const jpeg = await decoder.draw(() => drawingOf(title.slice(0, 255), title.slice(0, 255)));
        for (const left of [0, SHARE_PICTURE.width - 64])
          expect(await brightest(jpeg, left, 64)).toBeLessThan(128);
      }
      expect(decoder.pid).toBe(pid);
    });
  });

  /** Each pixel another than its neighbours. */
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
    'are a JPEG of at most 300 kB over the most detailed of %s covers, drawn within the memory of the decoder',
    async (_, height, channels) => {
      const cover = await noise(1_600, height, channels)
        .webp({ quality: height === 900 ? 60 : 5 })
        .toBuffer();
      const drawing = () => ({ ...shareDrawing(WORDS, { ...GROUND, hasCover: true }), cover });
      const jpeg = await decoder.draw(drawing);
      expect(jpeg.length).toBeLessThanOrEqual(300 * 1024);
      expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
      const { pid } = decoder;
      await decoder.draw(drawing);
      expect(decoder.pid).toBe(pid);
    },
  );

  /** Red, green and blue side by side, or one above the other. */
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
  it.each<[seen: string, CoverCrop | null]>([
    ['green', null],
    ['red', { x: 0, y: 0.5, zoom: 1 }],
    ['blue', { x: 1, y: 1, zoom: 1 }],
    ['blue', { x: 0.9, y: 0, zoom: 3 }],
  ])('the square of a cover shows %s for the part %j, and so does what is shared', async (seen, crop) => {
    const ground = { ...GROUND, hasCover: true };
    const wide = await thirds(900, 300);
    const looks = async (jpeg: Buffer) => {
      const { dominant } = await sharp(jpeg).stats();
      return ['red', 'green', 'blue'].find((_, at) => [dominant.r, dominant.g, dominant.b][at]! > 128);
    };
    const cut = await decoder.draw(() => ({ ...squareDrawing(ground), cover: wide, crop }));
    expect(await sharp(cut).metadata()).toMatchObject({ format: 'jpeg', width: 504, height: 504 });
    expect(await looks(cut)).toBe(seen);
    const words = { title: '', when: '', community: '' };
    const tall = crop && { ...crop, x: crop.y, y: crop.x };
    const cover = await thirds(300, 900);
    const { overlay: _, ...drawing } = shareDrawing(words, ground);
    const shared = await decoder.draw(() => ({ ...drawing, overlay: '', cover, crop: tall }));
    expect(await sharp(shared).metadata()).toMatchObject({ width: 1200, height: 630 });
    expect(await looks(shared)).toBe(seen);
  });

  it.each([null, 1, 8])(
    'what stands for a picture is the same alone and where it is shared: %s',
    (number) => {
      const drawn = { ...DRAWN, coverPattern: number };
      const drawing = number === null ? coverPattern(drawn.id, covers) : chosenPattern(number, covers);
      const ground = { ...GROUND, drawn, hasCover: false };
      for (const { overlay } of [shareDrawing(WORDS, ground), squareDrawing(ground)])
        expect(overlay).toContain(drawing);
    },
  );

  it('are outlined while the decoder starts', async () => {
    decoder.onApplicationShutdown();
    let pid: number | undefined;
    await decoder.draw(() => {
      ({ pid } = decoder);
      return { ...shareDrawing(WORDS, { ...GROUND, hasCover: false }), cover: null };
    });
    expect(pid).toEqual(expect.any(Number));
  });

  it('cost the reader of drawings to nobody who uploads', async () => {
    await decoder.draw(() => ({ ...shareDrawing(WORDS, { ...GROUND, hasCover: false }), cover: null }));
    await expect(decoder.decode(() => Buffer.from('<svg/>'), 'banners')).rejects.toMatchObject({
      code: 'PICTURE_TYPE',
    });
  });
});

describe('the share picture of an event', () => {
  const event = anEventPage({ version: 3, bannerImageUrl: `/media/banners/${HASH}.webp` });
  const banners = played(GetBanner, () => ({ base64: '' }));
  let stack: TestGateway;
  let asked = 0;
  let decoderWhenRead: number | undefined;
  beforeAll(async () => {
    const cover = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#bde' } })
      .webp()
      .toBuffer();
    banners.handler = () => {
      asked += 1;
      return { base64: cover.toString('base64') };
    };
    const get = played(GetEvent, ({ eventId }) => {
      if (eventId !== event.id) throw new DomainError('EVENT_NOT_FOUND');
      decoderWhenRead ??= stack.gateway.app.get(PictureDecoder).pid;
      return event;
    });
    stack = await openTestGateway({ events: scenes(get, banners) });
  });
  afterAll(() => stack.close());

  it('is kept for ever, and drawn once, by a decoder that starts before the event is read', async () => {
    const path = `/media/share/${event.id}-3.jpg`;
    const answers = await Promise.all([1, 2, 3].map(() => stack.browser().get(path)));
    for (const { status, headers } of [...answers, await stack.browser().get(path)])
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'image/jpeg',
        'public, max-age=31536000, immutable',
      ]);
    expect(asked).toBe(1);
    expect(decoderWhenRead).toEqual(expect.any(Number));
  });

  it('of another version leads to the present one', async () => {
    for (const version of [1, 2, 4]) {
      const { status, headers } = await stack.browser().get(`/media/share/${event.id}-${version}.jpg`);
      expect([status, headers.get('location')]).toEqual([302, `/media/share/${event.id}-3.jpg`]);
    }
  });

  it('has a square one beside it, for mails, which leads to its present version as well', async () => {
    const path = `/media/share/${event.id}-3.jpg`;
    const square = await stack.browser().get(`${path}?shape=square`);
    expect([square.status, square.headers.get('content-type'), square.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'public, max-age=31536000, immutable',
    ]);
    const earlier = await stack.browser().get(`/media/share/${event.id}-2.jpg?shape=square`);
    expect([earlier.status, earlier.headers.get('location')]).toEqual([302, `${path}?shape=square`]);
    for (const file of [`${event.id}-3.jpg?shape=round`, 'community-1.jpg?shape=square']) {
      const { status, body } = await stack
        .browser()
        .get<{ details: { fields: object } }>(`/media/share/${file}`);
      expect([status, Object.keys(body.details.fields)]).toEqual([400, ['shape']]);
    }
  });

  it('has patterns as files of their own, kept for ever in these colours', async () => {
    const present = patternUrl(3, DEFAULT_BRAND.both.covers);
    const { status, headers, text } = await stack.browser().get(present);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/svg+xml',
      'public, max-age=31536000, immutable',
    ]);
    expect(text).toContain(chosenPattern(3, DEFAULT_BRAND.both.covers));
    const other = await stack.browser().get(patternUrl(3, covers));
    expect([other.status, other.headers.get('location')]).toEqual([302, present]);
    for (const file of ['0-a.svg', '9-a.svg', '1.svg', '1-a.png', '1-%2e%2e.svg']) {
      const { status, body } = await stack.browser().get<{ code: string }>(`/media/patterns/${file}`);
      expect([file, status, body.code]).toEqual([file, 404, 'PICTURE_NOT_FOUND']);
    }
  });

  it('has a sister of the community, drawn anew with other settings', async () => {
    const { status, headers } = await stack.browser().get('/media/share/community-1.jpg');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'public, max-age=31536000, immutable',
    ]);
    const other = await stack.browser().get('/media/share/community-2.jpg');
    expect([other.status, other.headers.get('location')]).toEqual([302, '/media/share/community-1.jpg']);
  });

  it.each([
    'community.jpg',
    'community-x.jpg',
    `${DRAWN.id}-1.jpg`,
    'x-1.jpg',
    `${event.id}.jpg`,
    `${event.id}-3.png`,
    `${event.id}-x.jpg`,
  ])('is not there for %s', async (file) => {
    const { status, body } = await stack.browser().get<{ code: string }>(`/media/share/${file}`);
    expect([status, body.code]).toEqual([404, 'PICTURE_NOT_FOUND']);
  });
});
