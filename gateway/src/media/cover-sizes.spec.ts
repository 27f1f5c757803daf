import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { jest } from '@jest/globals';
import { COVER_WIDTHS, DomainError, GetBanner, type EventPage, GetEvent } from '@meetmark/contracts';
import { chosenPattern, patternUrl } from '@meetmark/contracts/events/cover-pattern';
import { DEFAULT_BRAND } from '@meetmark/contracts/palette';
import { CommunityFollower, loadCommunity, type PresentCommunity } from '@meetmark/platform';
import { registry } from '@meetmark/platform/operations/metrics';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import { anEventPage } from '@meetmark/testing/factories/samples';
import sharp from 'sharp';
import { type Answering, FakeWebHost, PUBLIC } from '../testing/fake-web-host.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import { CoverSizes } from './cover-sizes.js';
import { PictureDecoder } from './decoder.js';
import { isPublicAddress, PublicFetch } from './fetch-public.js';
import { VenueMaps } from './maps.js';
import { KeptMaps } from './maps.repository.js';

const FOR_EVER = 'public, max-age=31536000, immutable';
const KEY = 'a-key-that-costs-money';
const PROVIDER = 'https://maps.example.org/static';

const LIMIT = 2 * 1024 * 1024;

describe('isPublicAddress', () => {
  it.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2a01:4f8::1'])(
    'recognises %s as public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '192.0.2.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1'],
    ...['255.255.255.255', '::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:93.184.215.14'],
    ...['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
    ...['fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '4000::1', 'localhost', ''],
  ])('does not accept %s as public', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('PublicFetch', () => {
  let provider: FakeWebHost;
  let fetcher: PublicFetch;
  const get = (url = 'https://maps.example.org/a?b=c') => fetcher.get(new URL(url));

  beforeEach(async () => {
    provider = await new FakeWebHost().open();
    fetcher = new PublicFetch();
    provider.standsFor(fetcher);
  });
  afterEach(() => provider.close());

  it('sends one request with the path and query of the URL', async () => {
    expect(String(await get())).toBe('picture');
    expect(provider.asked).toEqual(['/a?b=c']);
  });

  it('connects to the checked IP address without resolving the name again', async () => {
    const answers = [[PUBLIC], [{ address: '127.0.0.1', family: 4 }]];
    fetcher.settings.resolve = async () => answers.shift()!;
    await get();
    expect([provider.connected, answers.length]).toEqual([[PUBLIC.address], 1]);
  });

  it('ignores IP addresses that are not public', async () => {
    provider.standsFor(fetcher, [{ address: '::1', family: 6 }, PUBLIC, { address: '10.0.0.1', family: 4 }]);
    await get();
    expect(provider.connected).toEqual([PUBLIC.address]);
  });

  it('does not connect when a name resolves only to private IP addresses', async () => {
    provider.standsFor(fetcher, [{ address: '10.0.0.5', family: 4 }]);
    await expect(get()).rejects.toThrow('the host has no public IP address');
    expect(provider.connected).toEqual([]);
  });

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254', 'localhost'])(
    'does not connect to the host %s',
    async (host) => {
      fetcher.settings.resolve = new PublicFetch().settings.resolve;
      await expect(get(`https://${host}/`)).rejects.toThrow('the host has no public IP address');
      expect(provider.connected).toEqual([]);
    },
  );

  it('refuses a URL without https', async () => {
    await expect(get('http://maps.example.org/')).rejects.toThrow('the URL is not https');
    expect(provider.asked).toEqual([]);
  });

  it('follows no redirects', async () => {
    provider.answer = (_, reply) => void reply.writeHead(302, { location: 'https://169.254.169.254/' }).end();
    await expect(get()).rejects.toThrow('the response is 302');
    expect([provider.asked.length, provider.connected]).toEqual([1, [PUBLIC.address]]);
  });

  it('accepts responses of up to 2 MB', async () => {
    provider.answer = (_, reply) => void reply.end(Buffer.alloc(LIMIT));
    expect((await get()).length).toBe(LIMIT);
    provider.answer = (_, reply) => void reply.write(Buffer.alloc(LIMIT), () => reply.end('x'));
    await expect(get()).rejects.toThrow('the response is larger than 2 MB');
  });

  it.each<[string, Answering]>([
    ['does not respond', () => undefined],
    ['never ends its response', (_, reply) => void reply.write('x')],
    ['breaks off', (_, reply) => void reply.write('x', () => reply.destroy())],
  ])('gives up on a server that %s', async (_, answer) => {
    fetcher.settings.within = 50;
    provider.answer = answer;
    await expect(get()).rejects.toThrow(/timeout|abort/);
  });

  it('gives up on a name that is not resolved in time', async () => {
    fetcher.settings.within = 50;
    fetcher.settings.resolve = () => new Promise(() => undefined);
    await expect(get()).rejects.toThrow(/timeout|abort/);
  });
});

describe('images of a gateway', () => {
  const pictures = new Map<string, Buffer>();
  const events = new Map<string, EventPage>();
  /** Processes that ran when an event was read. */
  const decoders: (number | undefined)[] = [];
  const logged: string[] = [];
  const banner = played(GetBanner, ({ hash }) => {
    const found = pictures.get(hash);
    if (!found) throw new DomainError('PICTURE_NOT_FOUND');
    return { base64: found.toString('base64') };
  });
  const read = played(GetEvent, ({ eventId }, { identity }) => {
    decoders.push(decoder.pid);
    const found = events.get(eventId);
    if (found === undefined || (found.status === 'draft' && identity === null))
      throw new DomainError('EVENT_NOT_FOUND');
    return found;
  });
  const stack = gatewayForTests({
    events: scenes(banner, read),
    onLog: (line) => void logged.push(line),
  });
  let decoder: PictureDecoder;
  let community: PresentCommunity;
  beforeAll(async () => {
    decoder = stack.gateway.app.get(PictureDecoder);
    const follower = stack.gateway.app.get(CommunityFollower);
    const shipped = loadCommunity(stack.config.communityConfig);
    const withMaps = await follower.tryOut({ ...shipped, mapUrl: `${PROVIDER}?center=*&key=${KEY}` });
    community = Object.assign(follower.community, withMaps);
  });
  afterEach(() => jest.restoreAllMocks());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(stack.url + path, { headers, redirect: 'manual' });
    const header = (name: string) => answer.headers.get(name);
    return {
      ...{ status: answer.status, type: header('content-type'), etag: header('etag') },
      ...{ cacheControl: header('cache-control'), location: header('location'), all: [...answer.headers] },
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const refusal = async (path: string) => {
    const { status, body } = await stack.browser().get<{ code: string }>(path);
    return [path, status, body.code];
  };
  const addPicture = (bytes: Buffer) => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    pictures.set(hash, bytes);
    return { hash, path: `/media/banners/${hash}.webp`, bytes };
  };

  describe('share images', () => {
    const event = anEventPage({
      version: 3,
      coverSquare: { x: 0, y: 0, zoom: 3 },
      coverWide: { x: 1, y: 1, zoom: 3 },
    });
    const draft = anEventPage({ status: 'draft' });
    const JPEG = { status: 200, type: 'image/jpeg', cacheControl: FOR_EVER };
    beforeAll(async () => {
      const half = { create: { width: 800, height: 900, channels: 3, background: '#fff' } } as const;
      const cover = sharp({ create: { ...half.create, width: 1_600, background: '#000' } });
      const bytes = await cover
        .composite([{ input: half, left: 800, top: 0 }])
        .webp()
        .toBuffer();
      event.bannerImageUrl = addPicture(bytes).path;
      for (const each of [event, draft]) events.set(each.id, each);
    });

    it('are drawn once, and the decoder starts before the event is read', async () => {
      const reads = jest.spyOn(banner, 'handler');
      decoder.onApplicationShutdown();
      const path = `/media/share/${event.id}-3.jpg`;
      const first = await Promise.all([1, 2, 3].map(() => get(path)));
      for (const answer of [...first, await get(path)]) expect(answer).toMatchObject(JPEG);
      expect(reads).toHaveBeenCalledTimes(1);
      expect(decoders[0]).toEqual(expect.any(Number));
    });

    it.each([
      ['wide', '', { width: 1200, height: 630 }, 'white'],
      ['square', '?shape=square', { width: 504, height: 504 }, 'black'],
    ] as const)('show the %s part of the cover at one URL per version', async (_, query, size, colour) => {
      const path = `/media/share/${event.id}-3.jpg${query}`;
      const answer = await get(path);
      expect(answer).toMatchObject(JPEG);
      const image = sharp(answer.bytes);
      expect(await image.metadata()).toMatchObject({ format: 'jpeg', ...size });
      expect((await image.stats()).channels[0]!.mean > 128).toBe(colour === 'white');
      for (const version of [2, 4]) {
        const other = await get(`/media/share/${event.id}-${version}.jpg${query}`);
        expect(other).toMatchObject({ status: 302, location: path });
      }
    });

    it('have no other shapes', async () => {
      for (const file of [`${event.id}-3.jpg?shape=round`, 'community-1.jpg?shape=square']) {
        const reply = await stack.browser().get<{ details: { fields: object } }>(`/media/share/${file}`);
        expect([reply.status, Object.keys(reply.body.details.fields)]).toEqual([400, ['shape']]);
      }
    });

    it('include the community’s image for the current version of the settings', async () => {
      expect(await get('/media/share/community-1.jpg')).toMatchObject(JPEG);
      const other = await get('/media/share/community-2.jpg');
      expect([other.status, other.location]).toEqual([302, '/media/share/community-1.jpg']);
    });

    it('of a draft are hidden even from an administrator', async () => {
      const { browser } = await stack.signedIn({ isAdmin: true });
      const path = `/media/share/${draft.id}-${draft.version}.jpg`;
      for (const client of [browser, stack.browser()]) expect((await client.get(path)).status).toBe(404);
    });

    it('return 404 when they do not exist', async () => {
      const wrong = ['community.jpg', 'community-x.jpg', `${anEventPage().id}-1.jpg`, 'x-1.jpg'];
      const files = [...wrong, ...['.jpg', '-3.png', '-x.jpg'].map((end) => event.id + end)];
      for (const path of files.map((file) => `/media/share/${file}`))
        expect(await refusal(path)).toEqual([path, 404, 'PICTURE_NOT_FOUND']);
    });

    it('include patterns in the current colours with an unlimited cache lifetime', async () => {
      const { covers } = DEFAULT_BRAND.both;
      const current = patternUrl(3, covers);
      const answer = await get(current);
      expect(answer).toMatchObject({ status: 200, type: 'image/svg+xml', cacheControl: FOR_EVER });
      expect(String(answer.bytes)).toContain(chosenPattern(3, covers));
      const other = await get(patternUrl(3, [['#111111', '#161616']]));
      expect([other.status, other.location]).toEqual([302, current]);
      for (const file of ['0-a.svg', '9-a.svg', '1.svg', '1-a.png', '1-%2e%2e.svg']) {
        const path = `/media/patterns/${file}`;
        expect(await refusal(path)).toEqual([path, 404, 'PICTURE_NOT_FOUND']);
      }
    });
  });

  describe('narrower versions of a cover', () => {
    const addCover = async (width: number) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
      const create = { width, height: width / 20, channels: 3, background: '#888', noise } as const;
      return addPicture(await sharp({ create }).webp({ quality: 82 }).toBuffer());
    };
    const getMade = async (path: string) => {
      await until(path, 60_000, async () => (await get(path)).cacheControl === FOR_EVER);
      return get(path);
    };

    it('are made in the background while the original cover is served with no-cache', async () => {
      const { path, hash, bytes } = await addCover(1_600);
      for (const width of COVER_WIDTHS) {
        const [sized, tag] = [`${path}?width=${width}`, `"${hash}-${width}"`];
        const first = await get(sized);
        expect(first).toMatchObject({ status: 200, cacheControl: 'no-cache', etag: `"${hash}"` });
        expect(first.bytes.equals(bytes)).toBe(true);
        const made = await getMade(sized);
        expect([made.type, made.etag]).toEqual(['image/webp', tag]);
        expect(await sharp(made.bytes).metadata()).toMatchObject({ format: 'webp', width });
        expect(made.bytes.length).toBeLessThan(bytes.length);
        // A client that has cached the original must get the scaled image instead of a 304.
        const later = await get(sized, { 'if-none-match': `"${hash}"` });
        expect([later.status, later.bytes.equals(made.bytes)]).toEqual([200, true]);
        const known = await get(sized, { 'if-none-match': tag });
        expect(known).toMatchObject({ status: 304, cacheControl: FOR_EVER });
      }
      const whole = await get(path);
      expect([whole.cacheControl, whole.bytes.equals(bytes)]).toEqual([FOR_EVER, true]);
    });

    it('are never wider than the original cover', async () => {
      const { path } = await addCover(600);
      const { bytes } = await getMade(`${path}?width=1200`);
      expect((await sharp(bytes).metadata()).width).toBe(600);
    });

    it('exist only for stored covers and in fixed widths', async () => {
      const narrow = jest.spyOn(decoder, 'narrow');
      const { path } = await addCover(1_600);
      const queries = ['481', '0480', '1600', '', '480&width=480', '4.8e2'];
      const files = [`${'0'.repeat(64)}.webp`, 'x.webp'].map((file) => `/media/banners/${file}?width=480`);
      for (const each of [...files, ...queries.map((query) => `${path}?width=${query}`)])
        expect(await refusal(each)).toEqual([each, 404, 'PICTURE_NOT_FOUND']);
      expect(narrow).not.toHaveBeenCalled();
    });

    it('are replaced by the original when scaling fails, and scaling is not retried', async () => {
      const narrow = jest.spyOn(decoder, 'narrow').mockRejectedValue(new DomainError('PICTURE_BROKEN'));
      const { path, bytes } = await addCover(1_500);
      for (let time = 0; time < 3; time += 1) {
        const found = await get(`${path}?width=800`);
        expect([found.status, found.cacheControl]).toEqual([200, 'no-cache']);
        expect(found.bytes.equals(bytes)).toBe(true);
        await until('the attempt', 60_000, async () => narrow.mock.calls.length > 0);
      }
      expect(narrow).toHaveBeenCalledTimes(1);
    });

    it('are each made once, one at a time, from a queue of at most sixty', async () => {
      const sizes = new CoverSizes();
      let [running, most, done] = [0, 0, 0];
      const make = async () => {
        most = Math.max(most, (running += 1));
        await new Promise(setImmediate);
        running -= 1;
        done += 1;
      };
      for (let time = 0; time < 2; time += 1)
        for (let each = 0; each < 70; each += 1) sizes.want(`picture ${each}`, make);
      await until('sixty', 60_000, async () => done === 60);
      sizes.want('picture 69', make);
      await until('the last one', 60_000, async () => done === 61);
      expect(most).toBe(1);
      sizes.onApplicationShutdown();
    });
  });

  describe('the map of a venue', () => {
    let provider: FakeWebHost;
    let fetcher: PublicFetch;
    let picture: Buffer;
    const at = (address: string | null, given: Partial<EventPage> = {}): string => {
      const venue = { name: 'Town hall', address, note: null, mapUrl: null };
      const event = anEventPage({ content: { ...anEventPage().content, venue }, ...given });
      events.set(event.id, event);
      return `/media/maps/${event.id}.webp`;
    };
    const answered = (answer: Answering) => () => void (provider.answer = answer);
    const closed: PublicFetch['settings']['request'] = () => request({ host: '127.0.0.1', port: 1 });
    const expectSecret = async ({ all, bytes }: Awaited<ReturnType<typeof get>>) => {
      const told = { logged, answer: [...all, String(bytes)], metrics: await registry.metrics() };
      for (const [where, words] of Object.entries(told))
        for (const secret of [KEY, PROVIDER, '/static?center='])
          expect([where, secret, String(words).includes(secret)]).toEqual([where, secret, false]);
    };

    beforeAll(async () => {
      const create = { width: 800, height: 400, channels: 3, background: '#cde' } as const;
      picture = await sharp({ create }).png().toBuffer();
      provider = await new FakeWebHost().open();
      fetcher = stack.gateway.app.get(PublicFetch);
    });
    afterAll(() => {
      Object.assign(fetcher.settings, new PublicFetch().settings);
      provider.close();
    });
    beforeEach(() => {
      provider.asked.length = 0;
      provider.answer = (_, reply) => void reply.end(picture);
      provider.standsFor(fetcher);
      fetcher.settings.within = new PublicFetch().settings.within;
    });

    it('is fetched once for all visitors and gateways, without revealing the key', async () => {
      const address = '1 High Street, Bath & Wells';
      const path = at(address);
      const [map, ...others] = await Promise.all([get(path), get(path), get(path)]);
      expect(map).toMatchObject({ status: 200, type: 'image/webp', cacheControl: 'no-cache' });
      for (const other of others) expect(other.bytes.equals(map.bytes)).toBe(true);
      const { app } = stack.gateway;
      const elsewhere = new VenueMaps(fetcher, decoder, app.get(KeptMaps), community);
      expect((await elsewhere.of(address, '127.0.0.1')).etag).toBe(map.etag);
      expect(provider.asked).toEqual([`/static?center=1%20High%20Street%2C%20Bath%20%26%20Wells&key=${KEY}`]);
      expect(await sharp(map.bytes).metadata()).toMatchObject({ format: 'webp', width: 800, height: 400 });
      const again = await get(path, { 'if-none-match': map.etag! });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      await expectSecret(map);
    });

    it('is fetched separately for each venue address', async () => {
      for (const house of [2, 3, 2]) await get(at(`${house} High Street`));
      expect(provider.asked.map((path) => /center=(\d)/.exec(path)![1])).toEqual(['2', '3']);
    });

    it.each<[string, () => string]>([
      ['is online', () => at('4 High Street', { format: 'online' })],
      ['has a venue without an address', () => at(null)],
      ['has no venue', () => at(null, { content: { ...anEventPage().content, venue: null } })],
      ['has an address that would change the path', () => at('..')],
      ['does not exist', () => `/media/maps/${anEventPage().id}.webp`],
      ['has a malformed id', () => '/media/maps/none.webp'],
    ])('returns 404 for an event that %s', async (_, path) => {
      expect((await get(path())).status).toBe(404);
      expect(provider.asked).toEqual([]);
    });

    it('returns 404 when the community has no maps', async () => {
      const { mapUrl } = community;
      community.mapUrl = null;
      const path = at('1 High Street, Bath & Wells');
      expect((await get(path)).status).toBe(404);
      community.mapUrl = mapUrl;
      expect((await get(path)).status).toBe(200);
      expect(provider.asked).toEqual([]);
    });

    it.each<[kind: string, begin: () => void, reason: string]>([
      ['refuses the key', answered((_, reply) => void reply.writeHead(403).end(KEY)), 'the response is 403'],
      ['answers a page', answered(({ url }, reply) => void reply.end(`<html>${url}`)), 'must be a PNG'],
      ['cannot be reached', () => void (fetcher.settings.request = closed), 'ECONNREFUSED'],
    ])('is missing without revealing the key when the provider %s', async (kind, begin, reason) => {
      logged.length = 0;
      begin();
      const missed = await get(at(`9 High Street, where it ${kind}`));
      const warned = logged.filter((line) => line.includes('Could not fetch the map of a venue'));
      expect([missed.status, warned]).toEqual([404, [expect.stringContaining(reason)]]);
      await expectSecret(missed);
      const asked = provider.asked.length;
      provider.standsFor(fetcher);
      expect((await get(at(`9 High Street, where it ${kind}`))).status).toBe(404);
      expect(provider.asked).toHaveLength(asked);
    });

    it('is fetched after other maps that the same network requested', async () => {
      let most = 0;
      let running = 0;
      provider.answer = (_, reply) => {
        most = Math.max(most, (running += 1));
        setTimeout(() => {
          running -= 1;
          reply.end(picture);
        }, 30);
      };
      const paths = [6, 7, 8].map((house) => at(`${house} High Street`));
      await Promise.all(paths.map((path) => get(path)));
      expect([provider.asked.length, most]).toEqual([3, 1]);
    });

    it('is available according to the configuration, which omits the provider’s key', async () => {
      const { bytes } = await get('/api/config');
      expect(JSON.parse(String(bytes))).toMatchObject({ hasMaps: true });
      for (const path of ['/api/config', '/', '/manifest.webmanifest'])
        expect([path, String((await get(path)).bytes).includes(KEY)]).toEqual([path, false]);
    });
  });
});
