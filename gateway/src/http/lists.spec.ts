import { randomUUID } from 'node:crypto';
import {
  LIMITS,
  ListAccounts,
  ListAttendees,
  ListAudit,
  ListEventMessages,
  ListEvents,
  ListGuests,
  ListImportRows,
  ListMessageRecipients,
  ListMyEvents,
  ListOwnRegistrations,
  ListPublicEvents,
  ListRegistrations,
  ListVenues,
  ListWaitlist,
  type Message,
  type Page,
  type PageRequest,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { ApiDocument } from '../openapi/api-document.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';

const ID = randomUUID();

/** For each list, a filter and the resulting limit. Undefined means that the whole list is returned. */
const LISTS: Record<string, [filter: string, limit: number | undefined]> = {
  '/api/admin/audit': ['action=event.created', LIMITS.pageSizeMax],
  '/api/admin/users': ['q=a', LIMITS.pageSizeMax],
  '/api/admin/events/{id}/guests': ['q=a', LIMITS.pageSizeMax],
  '/api/admin/events/{id}/messages': ['cursor=a', LIMITS.pageSizeMax],
  '/api/admin/events/{id}/messages/{messageId}/recipients': ['cursor=a', LIMITS.pageSizeMax],
  '/api/admin/imports/{id}/rows': ['cursor=a', LIMITS.pageSizeMax],
  '/api/events': ['cursor=a', LIMITS.pageSizeMax],
  '/api/events/public': ['from=2026-01-01T00:00:00.000Z', LIMITS.pageSizeMax],
  '/api/events/{id}/attendees': ['cursor=a', LIMITS.pageSizeMax],
  '/api/events/{id}/registrations': ['cursor=a', LIMITS.pageSizeMax],
  '/api/events/{id}/waitlist': ['cursor=a', LIMITS.pageSizeMax],
  '/api/my-events': ['include=waiting', undefined],
  '/api/venues': ['q=a', LIMITS.pageSizeMax],
};
/** This list comes from the gateway's own database and always returns at most one page. */
const ALWAYS_PAGED = '/api/admin/security-events';

let asked: (number | undefined)[] = [];
const listed = <Req extends PageRequest & object, Item>(message: Message<Req, Page<Item>>) =>
  played(message, ({ limit }: Req) => {
    asked.push(limit);
    return { items: [], total: 7, nextCursor: 'next' };
  });

describe('a list without a limit', () => {
  const stack = gatewayForTests({
    auth: scenes(listed(ListAccounts)),
    events: scenes(
      listed(ListEvents),
      listed(ListPublicEvents),
      listed(ListMyEvents),
      played(ListOwnRegistrations, () => ({})),
      listed(ListAttendees),
      listed(ListRegistrations),
      listed(ListWaitlist),
      listed(ListGuests),
      listed(ListImportRows),
      listed(ListEventMessages),
      listed(ListMessageRecipients),
      listed(ListVenues),
    ),
    admin: scenes(listed(ListAudit)),
  });
  beforeEach(() => (asked = []));

  it.each(Object.entries(LISTS))(
    'limits a list to one page only when it is filtered: %s',
    async (path, [filter, limit]) => {
      const { browser } = await stack.signedIn({ isAdmin: true });
      const address = path.replaceAll(/\{\w+\}/g, ID);
      const whole = await browser.get(address);
      const filtered = await browser.get(`${address}?${filter}`);
      expect([whole.status, filtered.status, asked]).toEqual([200, 200, [undefined, limit]]);
      expect(filtered.headers.get('x-total-count')).toBe('7');
      const next = new URL(/<(.*)>/.exec(filtered.headers.get('link')!)![1]!, stack.url).searchParams;
      expect(next.get('limit')).toBe(limit === undefined ? null : String(limit));
    },
  );

  it('covers every paged list of the API in this test file', () => {
    const { paths } = stack.gateway.app.get(ApiDocument).get();
    const paged = Object.entries(paths).filter(([, { get }]) => {
      const answer = get?.responses?.['200'];
      return answer && 'headers' in answer && answer.headers?.['X-Total-Count'] !== undefined;
    });
    expect(paged.map(([path]) => path).sort()).toEqual([...Object.keys(LISTS), ALWAYS_PAGED].sort());
  });
});
