import type { ImportOptions } from '@meetmark/contracts';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import { ApiClient } from '@meetmark/testing/http-client';
import { GatewayConfig } from '../gateway.config.js';
import { PublicFetch } from '../media/fetch-public.js';
import { type Answering, FakeWebHost } from '../testing/fake-web-host.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';

const SECRET = 'private-calendar';
const URL_OF_FILE = `https://calendar.example.org/${SECRET}.ics?a=b`;
const FILE = '<script>alert(1)</script>'.padEnd(3 * 1024 * 1024, 'x');
const FETCH = '/api/admin/imports/fetch';

describe('importing from a URL', () => {
  const logged: string[] = [];
  const stack = gatewayForTests({
    config: { importUrls: 'on' },
    onLog: (line) => void logged.push(line),
  });
  let host: FakeWebHost;
  let fetcher: PublicFetch;
  let organiser: ApiClient;

  beforeAll(async () => {
    host = await new FakeWebHost().open();
    fetcher = stack.gateway.app.get(PublicFetch);
    organiser = (await stack.signedIn({ isOrganiser: true })).browser;
  });
  afterAll(() => host.close());
  beforeEach(() => {
    host.asked.length = 0;
    host.answer = (_, reply) => void reply.writeHead(200, { 'content-type': 'text/html' }).end(FILE);
    host.standsFor(fetcher);
    fetcher.settings.within = new PublicFetch().settings.within;
  });

  const load = (url: unknown = URL_OF_FILE) => organiser.post<{ code: string }>(FETCH, { url });

  it('returns the file as bytes that browsers neither show nor keep', async () => {
    let sent: object = {};
    const { answer } = host;
    host.answer = (request, reply) => {
      sent = request.headers;
      answer(request, reply);
    };
    const { status, headers, text } = await load();
    expect([status, text === FILE]).toEqual([200, true]);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' },
      ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    });
    expect(host.asked).toEqual([`/${SECRET}.ics?a=b`]);
    expect(Object.keys(sent).toSorted()).toEqual(['accept', 'connection', 'host', 'user-agent']);
    expect((await organiser.get<ImportOptions>('/api/admin/imports/options')).body).toEqual({ urls: true });
  });

  const answered = (answer: Answering) => () => void (host.answer = answer);
  const expectUnreadable = async (reason: string) => {
    logged.length = 0;
    const { status, body, text } = await load();
    const warned = logged.filter((line) => line.includes('Could not fetch a file to import'));
    expect([status, body.code, warned]).toEqual([
      ...[422, 'IMPORT_URL_UNREADABLE'],
      [expect.stringContaining(reason)],
    ]);
    expect(text).not.toContain(reason);
    expect(logged.join()).not.toContain(SECRET);
  };

  it('does not connect to private IP addresses', async () => {
    host.standsFor(fetcher, [{ address: '10.0.0.5', family: 4 }]);
    await expectUnreadable('the host has no public IP address');
    expect(host.asked).toEqual([]);
  });

  it.each<[string, () => void, string]>([
    [
      'redirects',
      answered((_, reply) => void reply.writeHead(302, { location: 'https://10.0.0.5/' }).end()),
      'the response is 302',
    ],
    ['has no such file', answered((_, reply) => void reply.writeHead(404).end()), 'the response is 404'],
    [
      'sends more than 5 MB',
      answered((_, reply) => void reply.end(Buffer.alloc(IMPORTS.file + 1))),
      'larger than 5 MB',
    ],
    [
      'does not respond in time',
      () => {
        fetcher.settings.within = 50;
        host.answer = () => undefined;
      },
      'abort',
    ],
  ])('gives no reason when the host %s', async (_, begin, reason) => {
    begin();
    await expectUnreadable(reason);
    expect(host.asked).toHaveLength(1);
  });

  it.each(['http://example.org/a.ics', 'file:///etc/passwd', 'https://me:pw@example.org/', '', null])(
    'rejects %j as a URL',
    async (url) => {
      const { status, text } = await load(url);
      expect([status, text]).toEqual([400, expect.stringContaining('"fields":{"url"')]);
      expect(host.asked).toEqual([]);
    },
  );

  it('is off by default', async () => {
    const { importUrls } = new GatewayConfig();
    const { url } = await stack.another({ importUrls });
    const client = new ApiClient(url, organiser.headers);
    expect((await client.get<ImportOptions>('/api/admin/imports/options')).body).toEqual({ urls: false });
    const { status, body } = await client.post<{ code: string }>(FETCH, { url: URL_OF_FILE });
    expect([status, body.code]).toEqual([404, 'IMPORT_URLS_OFF']);
  });
});
