import { jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { COVER_WIDTHS, DomainError, GetBanner } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import sharp from 'sharp';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import { CoverSizes } from './cover-sizes.js';
import { PictureDecoder } from './decoder.js';

const FOR_EVER = 'public, max-age=31536000, immutable';

/** As every version stored it. */
async function stored(width: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const drawn = sharp({ create: { width, height: width / 2, channels: 3, background: '#888', noise } });
  return drawn.webp({ quality: 82 }).toBuffer();
}

describe('the widths of a cover', () => {
  const pictures = new Map<string, Buffer>();
  const banner = played(GetBanner, ({ hash }) => {
    const found = pictures.get(hash);
    if (!found) throw new DomainError('PICTURE_NOT_FOUND');
    return { base64: found.toString('base64') };
  });
  let stack: TestGateway;
  let decoder: PictureDecoder;

  const added = async (width: number) => {
    const bytes = await stored(width);
    const hash = createHash('sha256').update(bytes).digest('hex');
    pictures.set(hash, bytes);
    return { hash, address: `/media/banners/${hash}.webp`, bytes };
  };
  /** The client of the specs reads text alone. */
  const get = async (address: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(stack.url + address, { headers });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const made = async (address: string) => {
    await until(address, 60_000, async () => {
      const { answer } = await get(address);
      return answer.headers.get('cache-control') === FOR_EVER;
    });
    return get(address);
  };

  beforeAll(async () => {
    stack = await openTestGateway({ events: scenes(banner) });
    decoder = stack.gateway.app.get(PictureDecoder);
    // its limit of processor time holds: a busy machine is no failure
    decoder.settings.picture = 60_000;
  });
  afterAll(() => stack.close());
  afterEach(() => jest.restoreAllMocks());

  it('are made in the background; until then the picture itself is there, and is confirmed before each use', async () => {
    const { address, hash, bytes } = await added(1600);
    for (const width of COVER_WIDTHS) {
      const first = await get(`${address}?width=${width}`);
      expect([first.answer.status, first.answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect(first.answer.headers.get('etag')).toBe(`"${hash}"`);
      expect(first.bytes.equals(bytes)).toBe(true);
      const { answer, bytes: narrow } = await made(`${address}?width=${width}`);
      expect([answer.headers.get('content-type'), answer.headers.get('etag')]).toEqual([
        'image/webp',
        `"${hash}-${width}"`,
      ]);
      expect(await sharp(narrow).metadata()).toMatchObject({ format: 'webp', width, height: width / 2 });
      expect(narrow.length).toBeLessThan(bytes.length);
      // who was answered with the whole one before is not told that nothing has changed
      const later = await get(`${address}?width=${width}`, { 'if-none-match': `"${hash}"` });
      expect([later.answer.status, later.bytes.equals(narrow)]).toEqual([200, true]);
      const again = await get(`${address}?width=${width}`, { 'if-none-match': `"${hash}-${width}"` });
      expect([again.answer.status, again.answer.headers.get('cache-control')]).toEqual([304, FOR_EVER]);
    }
    const whole = await get(address);
    expect([whole.answer.headers.get('cache-control'), whole.bytes.equals(bytes)]).toEqual([FOR_EVER, true]);
  });

  it('never enlarge a picture', async () => {
    const { address } = await added(600);
    const { bytes } = await made(`${address}?width=1200`);
    expect((await sharp(bytes).metadata()).width).toBe(600);
  });

  it.each(['?width=481', '?width=0480', '?width=1600', '?width=', '?width=480&width=480', '?width=4.8e2'])(
    'are no others: %s is not there, and nothing is made for it',
    async (query) => {
      const narrow = jest.spyOn(decoder, 'narrow');
      const { address } = await added(1600);
      const { status, body } = await stack.browser().get<{ code: string }>(address + query);
      expect([status, body.code]).toEqual([404, 'PICTURE_NOT_FOUND']);
      expect(narrow).not.toHaveBeenCalled();
    },
  );

  it('are there for nobody whom the picture itself is not there for', async () => {
    for (const file of [`${'0'.repeat(64)}.webp`, 'x.webp'])
      for (const width of COVER_WIDTHS) {
        const { status, body } = await stack
          .browser()
          .get<{ code: string }>(`/media/banners/${file}?width=${width}`);
        expect([status, body.code]).toEqual([404, 'PICTURE_NOT_FOUND']);
      }
  });

  it('leave the picture as it is where they cannot be made, and are not tried each time', async () => {
    const narrow = jest.spyOn(decoder, 'narrow').mockRejectedValue(new DomainError('PICTURE_BROKEN'));
    const { address, bytes } = await added(1500);
    for (let time = 0; time < 3; time += 1) {
      const found = await get(`${address}?width=800`);
      expect([found.answer.status, found.answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect(found.bytes.equals(bytes)).toBe(true);
      await until('the attempt', 10_000, async () => narrow.mock.calls.length > 0);
    }
    expect(narrow).toHaveBeenCalledTimes(1);
  });

  it('are made one after the other, sixty at most, and none twice, however many are asked for', async () => {
    const sizes = new CoverSizes();
    let [running, most, done] = [0, 0, 0];
    const make = async () => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      done += 1;
    };
    for (let time = 0; time < 2; time += 1)
      for (let each = 0; each < 200; each += 1) sizes.want(`picture ${each}`, make);
    await until('sixty', 30_000, async () => done === 60);
    sizes.want('picture 199', make);
    await until('the last one', 30_000, async () => done === 61);
    expect(most).toBe(1);
    sizes.onApplicationShutdown();
  });
});
