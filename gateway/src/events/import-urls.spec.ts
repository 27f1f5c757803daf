import type { ImportOptions } from '@meetmark/contracts';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import type { ApiClient } from '@meetmark/testing/http-client';
import { GatewayConfig } from '../gateway.config.js';
import { PublicFetch } from '../media/fetch-public.js';
import { type Answering, FakeWebHost } from '../testing/fake-web-host.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import { ImportUrlsController } from './import-urls.controller.js';

const SECRET = 'private-calendar';
const URL_OF_FILE = `https://calendar.example.org/${SECRET}.ics?a=b`;
const FILE = '<script>alert(1)</script>'.padEnd(3 * 1024 * 1024, 'x');
const FETCH = '/api/admin/imports/fetch';

describe('importing from a URL', () => {
  const logged: string[] = [];
  const stack = gatewayForTests({
    onLog: (line) => void logged.push(line),
  });
  let host: FakeWebHost;
  let fetcher: PublicFetch;
  let organiser: ApiClient;
  const setImportUrls = (importUrls: GatewayConfig['importUrls']) => {
    const changed = new ImportUrlsController({ importUrls } as GatewayConfig, fetcher);
    Object.assign(stack.gateway.app.get(ImportUrlsController), changed);
  };

  beforeAll(async () => {
    host = await new FakeWebHost().open();
    fetcher = stack.gateway.app.get(PublicFetch);
    setImportUrls('on');
    organiser = (await stack.signedIn({ isOrganiser: true })).browser;
  });
  afterAll(() => {
    setImportUrls(new GatewayConfig().importUrls);
    Object.assign(fetcher.settings, new PublicFetch().settings);
    host.close();
  });
  beforeEach(() => {
    host.asked.length = 0;
    host.answer = (_, reply) => void reply.writeHead(200, { 'content-type': 'text/html' }).end(FILE);
    host.standsFor(fetcher);
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

  it.each<[string, Answering, string]>([
    ['has no such file', (_, reply) => void reply.writeHead(404).end(), 'the response is 404'],
    [
      'sends more than 5 MB',
      (_, reply) => void reply.end(Buffer.alloc(IMPORTS.file + 1)),
      'larger than 5 MB',
    ],
  ])('gives no reason when the host %s', async (_, answer, reason) => {
    host.answer = answer;
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
    setImportUrls(new GatewayConfig().importUrls);
    expect((await organiser.get<ImportOptions>('/api/admin/imports/options')).body).toEqual({ urls: false });
    expect(await load()).toMatchObject({ status: 404, body: { code: 'IMPORT_URLS_OFF' } });
  });
});
