import { GetManagedCalendar, ListEvents } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEvent } from '@meetmark/testing/factories/samples';
import { gatewayForTests } from '../testing/open-test-gateway.js';

const FORMULA = '=HYPERLINK("https://evil.example")';
const topic = { id: '0197f000-0000-7000-8000-000000000001', slug: 'seo', name: 'SEO' };
const pages = [
  { items: [anEvent({ title: FORMULA, topics: [topic] })], total: 2, nextCursor: 'next' },
  { items: [anEvent({ title: 'Tea', slug: 'tea' })], total: 2, nextCursor: null },
];

describe('the export of managed events', () => {
  const asked: object[] = [];
  const stack = gatewayForTests({
    events: scenes(
      played(ListEvents, (filter, { identity }) => {
        asked.push({ by: identity!.sub, managedBy: filter.managedBy, cursor: filter.cursor });
        return pages[filter.cursor === undefined ? 0 : 1]!;
      }),
      played(GetManagedCalendar, () => ({ ics: 'BEGIN:VCALENDAR' })),
    ),
  });

  it('writes every page as CSV and escapes spreadsheet formulas', async () => {
    const { browser, user } = await stack.signedIn({ isOrganiser: true });
    const { status, headers, text } = await browser.get('/api/admin/events/export.csv', {
      'accept-language': 'en',
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="events.csv"');
    const [head, first, second, end] = text.replace(/^\uFEFF/, '').split('\r\n');
    expect(head).toMatch(/^id,title,status,.*,topics,url$/);
    expect(first).toContain(`,"'=HYPERLINK(""https://evil.example"")",published,`);
    expect(first).toMatch(/,SEO,http:\/\/localhost:8080\/\S+$/);
    expect(second).toMatch(/,Tea,.*,http:\/\/localhost:8080\/e\/tea$/);
    expect(end).toBe('');
    expect(asked).toEqual([
      { by: user.id, managedBy: 'me' },
      { by: user.id, managedBy: 'me', cursor: 'next' },
    ]);
  });

  it('sends a calendar as an attachment', async () => {
    const { browser } = await stack.signedIn({ isOrganiser: true });
    const { headers, text } = await browser.get('/api/admin/events/export.ics');
    expect(headers.get('content-disposition')).toBe('attachment; filename="events.ics"');
    expect([headers.get('cache-control'), text]).toEqual(['no-store', 'BEGIN:VCALENDAR']);
  });
});
