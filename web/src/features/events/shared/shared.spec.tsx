import type { EventFormat, Event } from '@meetmark/contracts';
import { PAYMENT_NOTE } from '@meetmark/contracts/community';
import german from '@meetmark/i18n/texts/de/common.json' with { type: 'json' };
import { layoutText } from '@meetmark/i18n/texts/common';
import { cleanup, render, act, screen } from '@testing-library/react';
import fc from 'fast-check';
import { jest } from '@jest/globals';
import { nextEventText, getPaymentNote, formatLocation } from './event';
import { anEvent } from '../../../testing/samples';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { googleLink, outlookLink } from './calendar-links';
import { createQueryClient, CURRENT_USER_KEY } from '../../../api/query-client';
import { activityQuery } from '../../admin/dashboard/dashboard.api';
import { usersPageQuery } from '../../admin/users/users.api';
import { currentUserQuery } from '../../auth/current-user';
import { myEventsQuery } from '../../registrations/registrations.api';
import {
  ALL_UPCOMING,
  browseEventsQuery,
  dashboardEventsQuery,
  eventQuery,
  refreshEvents,
  registrationCountQuery,
} from './events.api';
import { KeptHtml } from '../kept-html';
import Markdown from './markdown';
import { fakeApi } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { useRegistrationState } from './use-registration-state';

describe('The location text of an event', () => {
  it.each<[EventFormat, string | null, string | null]>([
    ['in_person', 'Leeds', 'Leeds'],
    ['in_person', null, null],
    ['online', null, 'Online'],
    ['online', 'https://meet.example/seo', 'Online · https://meet.example/seo'],
    ['hybrid', 'Leeds', 'Hybrid · Leeds'],
    ['hybrid', null, 'Hybrid'],
  ])('shows an event of the format %s at %j as %j', (format, location, words) => {
    expect(formatLocation({ format, location })).toBe(words);
  });
});

describe('The text of the upcoming-event banner', () => {
  it('leaves out the location when there is none', () => {
    const written = { date: 'Sat, Nov 21, 09:00 AM', price: 'Free', end: 'Register Now!' };
    expect(nextEventText({ title: 'SEO Breakfast', location: 'Leeds' }, written)).toBe(
      'Next Event: SEO Breakfast • Sat, Nov 21, 09:00 AM • Leeds • Free • Register Now!',
    );
    expect(nextEventText({ title: 'SEO Breakfast', location: null }, written)).toBe(
      'Next Event: SEO Breakfast • Sat, Nov 21, 09:00 AM • Free • Register Now!',
    );
  });
});

describe('The payment note', () => {
  it('falls back from the event’s text to the community’s, then the default', () => {
    const note = (paymentNote: string | null, paymentNoteDefault: string) =>
      getPaymentNote({ paymentNote }, { paymentNoteDefault });
    expect(note('Card at the door', 'By transfer')).toBe('Card at the door');
    expect(note(null, 'By transfer')).toBe('By transfer');
    expect(note(null, PAYMENT_NOTE)).toBe(layoutText.paymentNote);
    expect(german.layoutText.paymentNote).toContain('bezahlen');
  });
});

describe('An add-to-calendar link', () => {
  const SITE = 'https://x.example';
  const parametersOf = (link: string) => Object.fromEntries(new URL(link).searchParams);

  it('contains the start and end time of an event', () => {
    const [google, outlook] = [googleLink, outlookLink].map((link) =>
      parametersOf(link(anEvent(), SITE, 'Europe/London')),
    );
    expect(google?.dates).toBe('20300501T090000Z/20300501T110000Z');
    expect(outlook).not.toHaveProperty('allday');
  });

  it.each([
    ['Pacific/Kiritimati', '2030-04-30T10:00:00.000Z', '2030-05-03T10:00:00.000Z'],
    ['America/New_York', '2030-05-01T04:00:00.000Z', '2030-05-04T04:00:00.000Z'],
  ])('gives an all-day event in %s an exclusive end date', (zone, startDate, endDate) => {
    const event = anEvent({ isAllDay: true, startDate, endDate });
    expect(parametersOf(googleLink(event, SITE, zone))).toMatchObject({ dates: '20300501/20300504' });
    const outlook = { startdt: '2030-05-01', enddt: '2030-05-04', allday: 'true' };
    expect(parametersOf(outlookLink(event, SITE, zone))).toMatchObject(outlook);
  });

  it.each([
    ['Google', googleLink, 'details'],
    ['Outlook', outlookLink, 'body'],
  ])('for %s stays below 2,000 characters and ends with the event’s URL', (_, buildLink, name) => {
    const description = '# 集まり\n\n**太字** と [リンク](https://x.example/a)\n'.repeat(60);
    for (const texts of [
      { description },
      { description: '👩🏽‍💻'.repeat(300) },
      { description, location: '町'.repeat(255) },
      { description, location: '町'.repeat(255), title: '集'.repeat(255) },
    ]) {
      const event = anEvent({ descriptionFormat: 'markdown', slug: null, ...texts });
      const link = buildLink(event, SITE, 'Europe/London');
      expect(link.length).toBeLessThan(2_000);
      expect(link).toMatch(/%2Fevents%2F[\w-]+$/);
      const notes = parametersOf(link)[name]!;
      expect(notes).not.toMatch(/[#*[\]\ufffd]/);
      expect(notes.endsWith(SITE + eventPath(event))).toBe(true);
    }
    const short = anEvent({ description: 'Bring _snacks_', descriptionFormat: 'plain', location: 'Leeds' });
    const given = parametersOf(buildLink(short, SITE, 'Europe/London'));
    expect(given[name]).toBe(`Bring _snacks_\n\n${SITE}${eventPath(short)}`);
    expect(given.location).toBe('Leeds');
  });
});

const MINUTE = 60_000;

it('caches responses for five minutes, unless a query sets other limits', () => {
  const triggers = ['refetchOnWindowFocus', 'refetchOnMount', 'refetchOnReconnect'];
  const refetches = (isOn: boolean) => Object.fromEntries(triggers.map((name) => [name, isOn]));
  const defaults = { staleTime: 5 * MINUTE, gcTime: 10 * MINUTE, retry: false, ...refetches(false) };
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject(defaults);
  expect(currentUserQuery).toMatchObject({ staleTime: 0, gcTime: 0, ...refetches(true) });
  const fresh = [dashboardEventsQuery({}), usersPageQuery(''), activityQuery];
  expect(fresh.map(({ staleTime }) => staleTime)).toEqual([2 * MINUTE, 2 * MINUTE, 5 * MINUTE]);
  const stale = [browseEventsQuery(ALL_UPCOMING), registrationCountQuery('1'), myEventsQuery];
  expect(stale.map(({ staleTime }) => staleTime)).toEqual([0, 0, 0]);
});

it('refreshEvents invalidates event queries, but not the current user', async () => {
  const client = createQueryClient();
  const about = [
    myEventsQuery.queryKey,
    browseEventsQuery(ALL_UPCOMING).queryKey,
    eventQuery('an-id').queryKey,
    ['/api/admin/events/an-id/guests'],
  ];
  for (const key of [...about, CURRENT_USER_KEY]) client.setQueryData(key as string[], []);
  await refreshEvents(client);
  const old = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  expect(about.map(old)).toEqual(about.map(() => true));
  expect(old(CURRENT_USER_KEY)).toBe(false);
  client.clear();
});

const show = (text: string) => render(<Markdown text={text} heading="h3" />).container;
const getHtml = (text: string) => show(text).firstElementChild!.innerHTML.trim();

const ELEMENTS = new Set('DIV P BR STRONG EM DEL A UL OL LI H3 BLOCKQUOTE CODE PRE HR'.split(' '));
const ATTRIBUTES = new Set(['href', 'target', 'rel', 'start']);

function foreignIn(container: Element): string[] {
  return [...container.querySelectorAll('*')].flatMap((element) => [
    ...(ELEMENTS.has(element.tagName) ? [] : [element.tagName]),
    ...[...element.attributes]
      .filter(
        ({ name, value }) =>
          !(ATTRIBUTES.has(name) || (element.tagName === 'DIV' && ['class', 'dir'].includes(name))) ||
          (name === 'href' && !/^(https?:\/\/|mailto:)/i.test(value)),
      )
      .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
  ]);
}

const HOSTILE = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '<svg onload=window.pwned=1>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<a href="javascript:window.pwned=1">x</a>',
  '[x](javascript:window.pwned=1)',
  '[x](java\tscript:window.pwned=1)',
  '[x](\u0001javascript:window.pwned=1)',
  '[x](data:text/html,<script>window.pwned=1</script>)',
  '[x](//evil.example/)',
  '[x]()',
  '<javascript:window.pwned=1>',
  '![x"onerror="window.pwned=1](https://x/)',
  '[x](https://a.example "onmouseover=window.pwned=1")',
  '[x](https://a.example"onmouseover="window.pwned=1)',
  '[ref]\n\n[ref]: javascript:window.pwned=1',
  '<form action="javascript:window.pwned=1"><button>x</button></form>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<div id=content class=ant-modal style="position:fixed;inset:0">x</div>',
  '<p name="getElementById">x</p>',
  '```html\n<img src=x onerror=window.pwned=1>\n```',
  '| <img src=x onerror=window.pwned=1> |\n|---|\n| x |',
  '- [ ] <input autofocus onfocus=window.pwned=1>',
  '<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">',
];

describe('Markdown', () => {
  it('renders bold, italic, links, lists and headings', () => {
    expect(getHtml('Bring **coffee** and *time*')).toBe(
      '<p>Bring <strong>coffee</strong> and <em>time</em></p>',
    );
    expect(getHtml('# Who\n\nText').replaceAll('\n', '')).toBe('<h3>Who</h3><p>Text</p>');
    expect(getHtml('- a\n- b').replaceAll('\n', '')).toBe('<ul><li>a</li><li>b</li></ul>');
    expect(getHtml('3. a\n4. b').replaceAll('\n', '')).toBe('<ol start="3"><li>a</li><li>b</li></ol>');
    expect(getHtml('One\nTwo')).toBe('<p>One<br>Two</p>');
    expect(getHtml('[site](https://example.org) and https://example.net')).toBe(
      '<p><a href="https://example.org" target="_blank" rel="noopener noreferrer nofollow">site</a> and ' +
        '<a href="https://example.net" target="_blank" rel="noopener noreferrer nofollow">https://example.net</a></p>',
    );
  });

  it('shows typed HTML and images as plain text', () => {
    const text = 'Use <b>bold</b> & <img src=x> ![x](https://x.example)';
    expect(show(text).textContent.trim()).toBe('Use <b>bold</b> & <img src=x> x');
  });

  it('shows too deeply nested Markdown as plain text', () => {
    const text = `${'> '.repeat(9)}**deep** <b>`;
    expect(getHtml(text)).toBe(text.replaceAll('>', '&gt;').replaceAll('<', '&lt;'));
    expect(show(text).querySelector('blockquote')).toBeNull();
  });

  it('keeps the server’s HTML and changes only the heading level', () => {
    const kept = '<h3>Who</h3><p>&lt;h3&gt; <strong>we</strong></p>';
    const shown = (heading: 'h3' | 'h4') =>
      render(<KeptHtml html={kept} heading={heading} />).container.firstElementChild!.innerHTML;
    expect(shown('h3')).toBe(kept);
    expect(shown('h4')).toBe(kept.replace('<h3>', '<h4>').replace('</h3>', '</h4>'));
  });

  it.each(HOSTILE)('makes %s harmless', (text) => {
    const container = show(text);
    expect(foreignIn(container)).toEqual([]);
    container.querySelectorAll<HTMLElement>('*').forEach((element) => element.click());
    expect('pwned' in window).toBe(false);
  });

  it('makes any mixture of hostile input harmless', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom(...HOSTILE), fc.string(), fc.constantFrom('\n', '**', '`', '[', '](')),
        ),
        (parts) => {
          const holder = show(parts.join(''));
          expect(foreignIn(holder)).toEqual([]);
          cleanup();
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('The registration state on a page that stays open', () => {
  const START = Date.parse('2030-05-01T09:00:00.000Z');
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const State = ({ event }: { event: Event }) => <p>{useRegistrationState(event)}</p>;
  beforeEach(() => {
    fakeApi({});
    jest.useFakeTimers();
  });
  const show = (now: number, given: Partial<Event>) => {
    jest.setSystemTime(now);
    renderScreen(<State event={anEvent(given)} />, { user: null });
  };
  /** Checks the state after each period in milliseconds. */
  const follow = (...steps: [milliseconds: number, state: string][]) => {
    for (const [milliseconds, state] of steps) {
      act(() => jest.advanceTimersByTime(milliseconds));
      screen.getByText(state);
    }
  };

  it('starts with the server’s value and changes at each scheduled time', () => {
    show(START - 40 * DAY, {
      registrationOpensAt: new Date(START - 30 * DAY).toISOString(),
      registrationClosesAt: new Date(START - HOUR).toISOString(),
      registrationState: 'scheduled',
      ...{ capacity: 2, registrationCount: 2, waitlistEnabled: true },
    });
    follow([0, 'scheduled'], [10 * DAY - 1, 'scheduled'], [1, 'waitlist'], [30 * DAY - HOUR, 'closed']);
    follow([HOUR, 'started'], [2 * HOUR, 'ended'], [100 * DAY, 'ended']);
  });

  it('keeps the server’s value for a minute when the browser’s clock disagrees', () => {
    show(START + 1_000, { registrationState: 'open' });
    follow([0, 'open'], [59_000, 'open'], [1_000, 'started']);
  });

  it('stays “cancelled” for a cancelled event', () => {
    show(START - HOUR, { status: 'cancelled', registrationState: 'cancelled' });
    follow([DAY, 'cancelled']);
  });
});
