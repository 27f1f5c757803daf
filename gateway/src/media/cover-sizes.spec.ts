import { createHash } from 'node:crypto';
import { readFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { COVER_WIDTHS, DomainError, GetBanner, type EventPage, GetEvent } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import sharp from 'sharp';
import { CommunityFollower } from '@meetmark/platform';
import { registry } from '@meetmark/platform/operations/metrics';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { gatewayForTests, openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import { CoverSizes } from './cover-sizes.js';
import { PictureDecoder } from './decoder.js';
import type { Gateway } from '../open-gateway.js';
import { isPublicAddress, PublicFetch } from './fetch-public.js';

const FOR_EVER = 'public, max-age=31536000, immutable';

async function stored(width: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const drawn = sharp({ create: { width, height: width / 2, channels: 3, background: '#888', noise } });
  return drawn.webp({ quality: 82 }).toBuffer();
}

describe('narrower versions of a cover', () => {
  const pictures = new Map<string, Buffer>();
  const banner = played(GetBanner, ({ hash }) => {
    const found = pictures.get(hash);
    if (!found) throw new DomainError('PICTURE_NOT_FOUND');
    return { base64: found.toString('base64') };
  });
  let decoder: PictureDecoder;

  const added = async (width: number) => {
    const bytes = await stored(width);
    const hash = createHash('sha256').update(bytes).digest('hex');
    pictures.set(hash, bytes);
    return { hash, address: `/media/banners/${hash}.webp`, bytes };
  };
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

  const stack = gatewayForTests({ events: scenes(banner) });
  beforeAll(() => {
    decoder = stack.gateway.app.get(PictureDecoder);
    // Milliseconds. Long enough for slow machines. The decoder limits processor time separately.
    decoder.settings.picture = 60_000;
  });
  afterEach(() => jest.restoreAllMocks());

  it('are made in the background while the original cover is served with no-cache', async () => {
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
      // A client that has cached the original must get the scaled image instead of a 304.
      const later = await get(`${address}?width=${width}`, { 'if-none-match': `"${hash}"` });
      expect([later.answer.status, later.bytes.equals(narrow)]).toEqual([200, true]);
      const again = await get(`${address}?width=${width}`, { 'if-none-match': `"${hash}-${width}"` });
      expect([again.answer.status, again.answer.headers.get('cache-control')]).toEqual([304, FOR_EVER]);
    }
    const whole = await get(address);
    expect([whole.answer.headers.get('cache-control'), whole.bytes.equals(bytes)]).toEqual([FOR_EVER, true]);
  });

  it('are never wider than the original cover', async () => {
    const { address } = await added(600);
    const { bytes } = await made(`${address}?width=1200`);
    expect((await sharp(bytes).metadata()).width).toBe(600);
  });

  it.each(['?width=481', '?width=0480', '?width=1600', '?width=', '?width=480&width=480', '?width=4.8e2'])(
    'exist only in fixed widths, and %s returns 404 without scaling the cover',
    async (query) => {
      const narrow = jest.spyOn(decoder, 'narrow');
      const { address } = await added(1600);
      const { status, body } = await stack.browser().get<{ code: string }>(address + query);
      expect([status, body.code]).toEqual([404, 'PICTURE_NOT_FOUND']);
      expect(narrow).not.toHaveBeenCalled();
    },
  );

  it('return 404 when the original cover does not exist', async () => {
    for (const file of [`${'0'.repeat(64)}.webp`, 'x.webp'])
      for (const width of COVER_WIDTHS) {
        const { status, body } = await stack
          .browser()
          .get<{ code: string }>(`/media/banners/${file}?width=${width}`);
        expect([status, body.code]).toEqual([404, 'PICTURE_NOT_FOUND']);
      }
  });

  it('are replaced by the original when scaling fails, and scaling is not retried', async () => {
    const narrow = jest.spyOn(decoder, 'narrow').mockRejectedValue(new DomainError('PICTURE_BROKEN'));
    const { address, bytes } = await added(1500);
    for (let time = 0; time < 3; time += 1) {
      const found = await get(`${address}?width=800`);
      expect([found.answer.status, found.answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
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
      for (let each = 0; each < 200; each += 1) sizes.want(`picture ${each}`, make);
    await until('sixty', 60_000, async () => done === 60);
    sizes.want('picture 199', make);
    await until('the last one', 60_000, async () => done === 61);
    expect(most).toBe(1);
    sizes.onApplicationShutdown();
  });
});

const PUBLIC = { address: '93.184.215.14', family: 4 };
const LIMIT = 2 * 1024 * 1024;

type Answering = (request: IncomingMessage, reply: ServerResponse) => void;

class Provider {
  answer: Answering = (_, reply) => void reply.end('picture');
  readonly asked: string[] = [];
  readonly connected: string[] = [];
  private readonly server: Server = createServer((request, reply) => {
    this.asked.push(request.url!);
    this.answer(request, reply);
  });

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  standsFor(fetcher: PublicFetch, addresses = [PUBLIC]): void {
    fetcher.settings.resolve = async () => addresses;
    fetcher.settings.request = (url, { lookup, signal, headers }) => {
      lookup!(url.hostname, { all: true }, (_, found) => {
        this.connected.push(...(found as { address: string }[]).map(({ address }) => address));
      });
      const { port } = this.server.address() as AddressInfo;
      const path = url.pathname + url.search;
      return request({ host: '127.0.0.1', port, path, agent: false, headers, ...(signal && { signal }) });
    };
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

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
  let provider: Provider;
  let fetcher: PublicFetch;
  const get = (url = 'https://maps.example.org/a?b=c') => fetcher.get(new URL(url));

  beforeEach(async () => {
    provider = await new Provider().open();
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

  it.each(['127.0.0.1', '::1', '10.0.0.5', '169.254.169.254', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])(
    'does not connect when a name resolves to %s',
    async (address) => {
      provider.standsFor(fetcher, [{ address, family: address.includes(':') ? 6 : 4 }]);
      await expect(get()).rejects.toThrow('the host has no public IP address');
      expect(provider.connected).toEqual([]);
    },
  );

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
    provider.answer = (_, reply) => {
      reply.write(Buffer.alloc(LIMIT));
      reply.end('x');
    };
    await expect(get()).rejects.toThrow('the response is larger than 2 MB');
  });

  it.each<[string, Answering]>([
    ['does not respond', () => undefined],
    ['never ends its response', (_, reply) => void reply.write('x')],
    ['breaks off', (_, reply) => void reply.write('x', () => reply.destroy())],
  ])('gives up on a server that %s', async (_, answer) => {
    fetcher.settings.within = 300;
    provider.answer = answer;
    await expect(get()).rejects.toThrow(/timeout|abort/);
  });

  it('gives up on a name that is not resolved in time', async () => {
    fetcher.settings.within = 300;
    fetcher.settings.resolve = () => new Promise(() => undefined);
    await expect(get()).rejects.toThrow(/timeout|abort/);
  });
});

const KEY = 'a-key-that-costs-money';
const PROVIDER = 'https://maps.example.org/static';
const SHIPPED = new URL('../../../config/demo/community.json', import.meta.url);

describe('the map of a venue', () => {
  const events = new Map<string, Partial<EventPage>>();
  const event = played(GetEvent, ({ eventId }) => {
    const given = events.get(eventId);
    if (given === undefined) throw new DomainError('EVENT_NOT_FOUND');
    return anEventPage({ id: eventId, ...given });
  });
  let provider: Provider;
  let stack: TestGateway;
  let picture: Buffer;
  const logged: string[] = [];
  let number = 0;

  const at = (address: string | null, given: Partial<EventPage> = {}): string => {
    const id = `0190b000-0000-7000-8000-${String((number += 1)).padStart(12, '0')}`;
    const venue = { name: 'Town hall', address, note: null, mapUrl: null };
    events.set(id, { content: { ...anEventPage().content, venue }, ...given });
    return `/media/maps/${id}.webp`;
  };
  const get = async (path: string, headers: Record<string, string> = {}, url = stack.url) => {
    const answer = await fetch(url + path, { headers });
    return { status: answer.status, answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const prepared = (gateway: Gateway) => {
    provider.standsFor(gateway.app.get(PublicFetch));
    gateway.app.get(PictureDecoder).settings.picture = 60_000;
  };

  beforeAll(async () => {
    const background = '#cde';
    const drawn = { width: 800, height: 400, channels: 3, background } as const;
    picture = await sharp({ create: drawn }).png().toBuffer();
    provider = await new Provider().open();
    const communityConfig = join(mkdtempSync(join(tmpdir(), 'maps-')), 'community.json');
    const mapUrl = `${PROVIDER}?center=*&key=${KEY}`;
    writeFileSync(
      communityConfig,
      JSON.stringify({ ...(JSON.parse(readFileSync(SHIPPED, 'utf8')) as object), mapUrl }),
    );
    stack = await openTestGateway({
      events: scenes(event),
      config: { communityConfig },
      onLog: (line) => void logged.push(line),
    });
    prepared(stack.gateway);
  });
  afterAll(async () => {
    provider.close();
    await stack.close();
  });
  beforeEach(() => {
    provider.asked.length = 0;
    provider.answer = (_, reply) => void reply.end(picture);
  });

  it('is fetched once for all visitors and gateways', async () => {
    const path = at('1 High Street, Bath & Wells');
    const all = await Promise.all([get(path), get(path), get(path)]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    const other = await stack.another();
    prepared(other);
    const { answer, bytes } = await get(path, {}, other.url);
    expect(provider.asked).toEqual([`/static?center=1%20High%20Street%2C%20Bath%20%26%20Wells&key=${KEY}`]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'no-cache',
    });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 800, height: 400 });
    const again = await get(path, { 'if-none-match': answer.headers.get('etag')! });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('is fetched separately for each venue address', async () => {
    await get(at('2 High Street'));
    await get(at('3 High Street'));
    await get(at('2 High Street'));
    expect(provider.asked.map((path) => /center=(\d)/.exec(path)![1])).toEqual(['2', '3']);
  });

  it.each<[string, () => string]>([
    ['is online', () => at('4 High Street', { format: 'online' })],
    ['has a venue without an address', () => at(null)],
    ['has no venue', () => at(null, { content: { ...anEventPage().content, venue: null } })],
    ['has an address that would change the path', () => at('..')],
    ['does not exist', () => '/media/maps/0190b000-0000-7000-8000-00000000dead.webp'],
    ['has a malformed id', () => '/media/maps/none.webp'],
  ])('returns 404 for an event that %s', async (_, path) => {
    expect((await get(path())).status).toBe(404);
    expect(provider.asked).toEqual([]);
  });

  it('returns 404 when the community has no maps', async () => {
    const { community } = stack.gateway.app.get(CommunityFollower);
    const { mapUrl } = community;
    community.mapUrl = null;
    const path = at('1 High Street, Bath & Wells');
    expect((await get(path)).status).toBe(404);
    community.mapUrl = mapUrl;
    expect((await get(path)).status).toBe(200);
    expect(provider.asked).toEqual([]);
  });

  it.each<[string, Answering]>([
    ['refuses', (_, reply) => void reply.writeHead(403).end('no')],
    ['answers a page', (_, reply) => void reply.end('<html>')],
    ['answers a drawing', (_, reply) => void reply.end('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('is not fetched again immediately when the provider %s', async (kind, answer) => {
    provider.answer = answer;
    const path = at(`5 High Street, where it ${kind}`);
    expect([(await get(path)).status, (await get(path)).status]).toEqual([404, 404]);
    provider.answer = (_, reply) => void reply.end(picture);
    expect((await get(at(`5 High Street, where it ${kind}`))).status).toBe(404);
    expect(provider.asked).toHaveLength(1);
  });

  it('is fetched after other maps that the same network requested', async () => {
    let most = 0;
    let running = 0;
    provider.answer = (_, reply) => {
      most = Math.max(most, (running += 1));
      setTimeout(() => {
        running -= 1;
        reply.end(picture);
      }, 50);
    };
    const paths = [6, 7, 8].map((house) => at(`${house} High Street`));
    await Promise.all(paths.map((path) => get(path)));
    expect([provider.asked.length, most]).toEqual([3, 1]);
  });

  describe('the URL and key of the provider', () => {
    let fetcher: PublicFetch;
    beforeEach(() => {
      fetcher = stack.gateway.app.get(PublicFetch);
      logged.length = 0;
    });
    afterEach(() => {
      provider.standsFor(fetcher);
      fetcher.settings.within = new PublicFetch().settings.within;
    });
    const answered = (answer: Answering) => () => void (provider.answer = answer);
    const closed: PublicFetch['settings']['request'] = () => request({ host: '127.0.0.1', port: 1 });

    const expectSecret = async ({ answer, bytes }: Awaited<ReturnType<typeof get>>) => {
      const told = { logged, answer: [...answer.headers, String(bytes)], metrics: await registry.metrics() };
      for (const [where, words] of Object.entries(told))
        for (const secret of [KEY, PROVIDER, '/static?center='])
          expect([where, secret, String(words).includes(secret)]).toEqual([where, secret, false]);
    };

    it('stay out of responses, logs and metrics when the map is found', async () => {
      const had = await get(at('9 High Street'));
      expect(had.status).toBe(200);
      await expectSecret(had);
    });

    it.each<[kind: string, begin: () => void, reason: string]>([
      ['has no public address', () => provider.standsFor(fetcher, []), 'the host has no public IP address'],
      ['refuses the key', answered((_, reply) => void reply.writeHead(403).end(KEY)), 'the response is 403'],
      [
        'leads elsewhere',
        answered(({ url }, reply) => void reply.writeHead(302, { location: PROVIDER + url }).end()),
        'the response is 302',
      ],
      ['answers a page', answered(({ url }, reply) => void reply.end(`<html>${url}`)), 'must be a PNG'],
      [
        'answers too much',
        answered((_, reply) => void reply.end(Buffer.alloc(LIMIT + 1))),
        'larger than 2 MB',
      ],
      ['cannot be reached', () => void (fetcher.settings.request = closed), 'ECONNREFUSED'],
      [
        'says nothing',
        () => {
          fetcher.settings.within = 100;
          provider.answer = () => undefined;
        },
        'abort',
      ],
    ])('stay out of responses, logs and metrics when the provider %s', async (kind, begin, reason) => {
      begin();
      const missed = await get(at(`9 High Street, where it ${kind}`));
      const warned = logged.filter((line) => line.includes('Could not fetch the map of a venue'));
      expect([missed.status, warned]).toEqual([404, [expect.stringContaining(reason)]]);
      await expectSecret(missed);
    });
  });

  it('is available according to the configuration, which omits the provider’s key', async () => {
    const { bytes } = await get('/api/config');
    expect(JSON.parse(String(bytes))).toMatchObject({ hasMaps: true });
    for (const path of ['/api/config', '/', '/manifest.webmanifest'])
      expect([path, String((await get(path)).bytes).includes(KEY)]).toEqual([path, false]);
  });
});
