import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError, GetTopicCalendar, ListPublicEvents, ListTopics } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEvent } from '@meetmark/testing/factories/samples';
import { SaxesParser } from 'saxes';
import { gatewayForTests } from '../testing/open-test-gateway.js';

const seo = { id: '0197f000-0000-7000-8000-000000000001', slug: 'seo', name: 'SEO & more' };
const event = anEvent({
  slug: 'tags',
  title: 'Tags <b> & "quotes"',
  topics: [seo],
  format: 'hybrid',
  location: 'Unit 1',
});
const asked: object[] = [];

const stack = gatewayForTests({
  events: scenes(
    played(ListTopics, () => [{ ...seo, upcoming: 1 }]),
    played(ListPublicEvents, (filter) => {
      asked.push(filter);
      return { items: [event], total: 1, nextCursor: null };
    }),
    played(GetTopicCalendar, ({ slug }) => {
      if (slug !== seo.slug) throw new DomainError('TOPIC_NOT_FOUND');
      return { ics: 'BEGIN:VCALENDAR' };
    }),
  ),
});

describe('the topics', () => {
  it('are public and return 304 to a client with a current copy', async () => {
    const first = await stack.browser().get('/api/topics');
    expect([first.status, first.body]).toEqual([200, [{ ...seo, upcoming: 1 }]]);
    const again = await stack.browser({ 'if-none-match': first.headers.get('etag')! }).get('/api/topics');
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('feeds', () => {
  it('list current and upcoming events as RSS, and a topic’s events as a calendar', async () => {
    asked.length = 0;
    const feed = await stack.browser().get('/feeds/topics/seo.rss');
    expect(feed.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    expect(feed.headers.get('cache-control')).toBe('public, no-cache');
    expect(feed.text).toContain('<title>Tags &lt;b&gt; &amp; &quot;quotes&quot;</title>');
    expect(feed.text).toContain('<category>SEO &amp; more</category>');
    expect(feed.text).toContain('<link>http://localhost:8080/e/tags</link>');
    // The guid must not change, because feed readers identify items by it.
    expect(feed.text).toContain(`<guid>http://localhost:8080/events/${event.id}</guid>`);
    const calendar = await stack.browser().get('/feeds/topics/seo.ics');
    expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(calendar.text).toBe('BEGIN:VCALENDAR');
    const all = await stack.browser().get('/feeds/events.rss');
    expect(all.status).toBe(200);
    expect(asked).toEqual([
      { time: 'notEnded', limit: 50, topic: 'seo' },
      { time: 'notEnded', limit: 50 },
    ]);
  });

  it('are well-formed XML whatever text is stored', async () => {
    const before = { title: event.title, location: event.location };
    const stored = 'a\uffff\ufffe\u0000\u0008\u000b\u001f\ud800b ]]> &#0; <![CDATA[ 👩🏽‍💻 \udfff';
    Object.assign(event, { title: stored, location: stored });
    seo.name = stored;
    for (const path of ['feeds/events.rss', 'feeds/topics/seo.rss', 'sitemap.xml']) {
      const { url } = await stack.another({});
      const feed = await (await fetch(`${url}/${path}`)).text();
      const titles: string[] = [];
      const parser = new SaxesParser({ xmlns: true });
      parser.on('error', (error) => {
        throw error;
      });
      parser.on('text', (text) => titles.push(text));
      parser.write(feed).close();
      if (path !== 'sitemap.xml') expect(titles).toContain('ab ]]> &#0; <![CDATA[ 👩🏽‍💻 ');
    }
    Object.assign(event, before);
    seo.name = 'SEO & more';
  });

  it('show location and date in the language of the community', async () => {
    const settings = JSON.parse(readFileSync(stack.config.communityConfig, 'utf8')) as object;
    const folder = mkdtempSync(join(tmpdir(), 'community-'));
    const communityConfig = join(folder, 'community.json');
    writeFileSync(communityConfig, JSON.stringify({ ...settings, locale: 'de-DE' }));
    const german = await stack.another({ communityConfig });
    rmSync(folder, { recursive: true });
    const about = async (url: string) =>
      /<description>(.* · .*)<\/description>/.exec(
        await (await fetch(`${url}/feeds/events.rss`)).text(),
      )?.[1];
    expect(await about(stack.url)).toMatch(/May 1, 2030.* · Unit 1 \(also online\)$/);
    expect(await about(german.url)).toMatch(/1\. Mai 2030.* · Unit 1 \(auch online\)$/);
  });

  it.each(['topics/seo.rss', 'topics/seo.ics', 'events.rss'])(
    'return 304 to a client with a current copy: %s',
    async (file) => {
      const first = await stack.browser().get(`/feeds/${file}`);
      const tag = first.headers.get('etag')!;
      expect((await stack.browser({ 'if-none-match': tag }).get(`/feeds/${file}`)).status).toBe(304);
    },
  );

  it.each(['topics/other.rss', 'topics/other.ics', 'topics/seo.pdf', 'topics/SEO.rss', 'other.rss'])(
    'return 404 when they do not exist: %s',
    async (file) => {
      expect((await stack.browser().get(`/feeds/${file}`)).status).toBe(404);
    },
  );
});
