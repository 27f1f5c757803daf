import {
  ConfirmSubscription,
  DomainError,
  FindVisitorList,
  GetTopicCalendar,
  ListPublicEvents,
  ListTopics,
  PUBLIC_EVENTS_VERSION,
  RequestSubscription,
  SetVisitorList,
} from '@meetmark/contracts';
import { CommunityFollower } from '@meetmark/platform';
import { signConfirmation, signUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEvent } from '@meetmark/testing/factories/samples';
import { SaxesParser } from 'saxes';
import { gatewayForTests } from '../testing/open-test-gateway.js';

const ID = '0197f000-0000-7000-8000-000000000001';
const seo = { id: ID, slug: 'seo', name: 'SEO & more' };
const event = anEvent({
  ...{ slug: 'tags', title: 'Tags <b> & "quotes"', topics: [seo] },
  ...{ format: 'hybrid', location: 'Unit 1' },
});
const asked: object[] = [];
const sent: object[] = [];
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
    played(RequestSubscription, (request) => void sent.push(request)),
    played(ConfirmSubscription, (request) => void sent.push(request)),
    played(FindVisitorList, () => ({ subscribed: true })),
    played(SetVisitorList, (request) => void sent.push(request)),
  ),
});
beforeEach(() => {
  asked.length = 0;
  sent.length = 0;
});

const forgetEvents = () => stack.redis.incr(PUBLIC_EVENTS_VERSION);

it('lists the topics for everyone', async () => {
  const { status, body } = await stack.browser().get('/api/topics');
  expect([status, body]).toEqual([200, [{ ...seo, upcoming: 1 }]]);
});

describe('feeds', () => {
  it('list current and upcoming events as RSS, and a topic’s events as a calendar', async () => {
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
    expect((await stack.browser().get('/feeds/events.rss')).status).toBe(200);
    const filter = { time: 'notEnded', limit: 50 };
    expect(asked).toEqual([{ ...filter, topic: 'seo' }, filter]);
  });

  it('are well-formed XML whatever text is stored', async () => {
    const before = { title: event.title, location: event.location };
    const stored = 'a\uffff\ufffe\u0000\u0008\u000b\u001f\ud800b ]]> &#0; <![CDATA[ 👩🏽‍💻 \udfff';
    Object.assign(event, { title: stored, location: stored });
    seo.name = stored;
    await forgetEvents();
    for (const path of ['feeds/events.rss', 'feeds/topics/seo.rss', 'sitemap.xml']) {
      const titles: string[] = [];
      const parser = new SaxesParser({ xmlns: true });
      parser.on('error', (error) => {
        throw error;
      });
      parser.on('text', (text) => titles.push(text));
      parser.write((await stack.browser().get(`/${path}`)).text).close();
      if (path !== 'sitemap.xml') expect(titles).toContain('ab ]]> &#0; <![CDATA[ 👩🏽‍💻 ');
    }
    Object.assign(event, before);
    seo.name = 'SEO & more';
  });

  it('show location and date in the language of the community', async () => {
    const { community } = stack.gateway.app.get(CommunityFollower);
    const { locale } = community;
    const describeIn = async (tag: string) => {
      community.locale = tag;
      await forgetEvents();
      const { text } = await stack.browser().get('/feeds/events.rss');
      return /<description>(.* · .*)<\/description>/.exec(text)?.[1];
    };
    expect(await describeIn(locale)).toMatch(/May 1, 2030.* · Unit 1 \(also online\)$/);
    expect(await describeIn('de-DE')).toMatch(/1\. Mai 2030.* · Unit 1 \(auch online\)$/);
    community.locale = locale;
  });

  it.each(['api/topics', 'feeds/topics/seo.rss', 'feeds/topics/seo.ics', 'feeds/events.rss'])(
    'and topics return 304 to a client with a current copy: %s',
    async (path) => {
      const { headers } = await stack.browser().get(`/${path}`);
      const again = await stack.browser({ 'if-none-match': headers.get('etag')! }).get(`/${path}`);
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );

  it.each(['topics/other.rss', 'topics/other.ics', 'topics/seo.pdf', 'topics/SEO.rss', 'other.rss'])(
    'return 404 when they do not exist: %s',
    async (file) => {
      expect((await stack.browser().get(`/feeds/${file}`)).status).toBe(404);
    },
  );
});

describe('email subscriptions without an account', () => {
  it('are requested with the normalised email address and the language of the locale cookie', async () => {
    for (const locale of ['', 'de', 'pt']) {
      const browser = stack.browser();
      browser.cookies.set('locale', locale);
      const reply = await browser.post('/api/subscriptions', { email: ' Vera@Example.org ', digest: true });
      const body = { message: 'An email with a confirmation link is on its way' };
      expect(reply).toMatchObject({ status: 202, body });
    }
    const wish = { email: 'vera@example.org', digest: true };
    expect(sent).toEqual([wish, { ...wish, locale: 'de' }, wish]);
  });

  it.each([{}, { email: 'a@b.co', topics: 'all' }, { email: 'a@b.co', digest: 1 }])(
    'cannot be requested with the body %j',
    async (body) => {
      expect((await stack.browser().post('/api/subscriptions', body)).status).toBe(400);
      expect(sent).toEqual([]);
    },
  );

  it('begin only with a valid confirmation link', async () => {
    const { linkSecrets } = stack.config;
    const confirm = async (token: string) =>
      (await stack.browser().post('/api/subscriptions/confirm', { token })).status;
    const token = signConfirmation(ID, linkSecrets);
    const foreign = [
      signConfirmation(ID, ['another secret']),
      token.replace(ID, ID.replace(/1$/, '2')),
      signUnsubscribe({ subscriptionId: ID, list: 'digest' }, linkSecrets),
      '',
    ];
    expect(await Promise.all(foreign.map(confirm))).toEqual([404, 404, 404, 404]);
    expect(sent).toEqual([]);
    expect(await confirm(token)).toBe(200);
    expect(sent).toEqual([{ requestId: ID }]);
  });

  it('stop and resume with a valid unsubscribe link', async () => {
    const target = { subscriptionId: ID, list: 'digest' as const };
    const path = `/api/unsubscribe/${signUnsubscribe(target, stack.config.linkSecrets)}`;
    const { body } = await stack.browser().get(`${path}/list`);
    expect(body).toEqual({ list: 'digest', subscribed: true });
    for (const action of ['', '/undo'])
      expect((await stack.browser().post(`${path}${action}`)).status).toBe(200);
    expect(sent).toEqual([
      { ...target, subscribed: false },
      { ...target, subscribed: true },
    ]);
    const other = signUnsubscribe({ ...target, list: 'reminders' }, stack.config.linkSecrets);
    expect((await stack.browser().post(`/api/unsubscribe/${other}`)).status).toBe(404);
  });
});
