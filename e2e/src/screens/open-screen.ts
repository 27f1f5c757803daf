import type { Event } from '@meetmark/contracts';
import type { Browser, Page, ViewportSize } from 'playwright-core';
import { administratorClient, visitAs } from '../support/administrator.js';
import { ApiClient, createdEvent, signedUp } from '../support/api-client.js';
import { visit, type Visit } from '../support/browser.js';
import { leaveScreen, moveTo, Traffic } from '../support/navigation.js';
import { stripes } from '../support/phone-photo.js';
import { type Account, sharedStack } from '../support/shared-stack.js';
import { restoreTexts, TypedTexts } from './longest-texts.js';
import type { Screen, Who } from './screens.js';

/** Returns the API responses embedded in the page. Runs in the page. */
const readFirstAnswers = (): unknown =>
  JSON.parse(document.getElementById('first-answers')?.textContent || 'null') as unknown;

/** Returns whether nothing is left of the previous screen. Runs in the page. */
const isBare = () => document.querySelector('[role=dialog], [role=menu], .ant-notification-notice') === null;

export interface Reader extends Visit {
  texts: TypedTexts;
  traffic: Traffic;
}

export class ScreenOpener {
  private readonly stack = sharedStack();
  private readonly readers = new Map<Who, Reader>();
  private event: Event | undefined;
  private staged: Promise<StagedEvents> | undefined;

  constructor(private readonly browser: Browser) {}

  async open(screen: Screen, viewport: ViewportSize): Promise<Reader> {
    const reader = await this.reader(screen.who);
    const { page, context, texts } = reader;
    await context.setOffline(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.setViewportSize(viewport);
    const path = await this.resolvePath(screen);
    if (await this.canMove(screen, page)) await moveTo(page, path);
    else {
      reader.traffic.forget();
      texts.clear();
      await page.goto(path);
      texts.add(await page.evaluate(readFirstAnswers));
    }
    await reader.traffic.settle();
    await screen.prepare?.(page);
    return reader;
  }

  /** Returns whether the screen can open without a reload. Leaves the previous screen. */
  private async canMove({ who }: Screen, page: Page): Promise<boolean> {
    if (who === 'phone' || page.url() === 'about:blank') return false;
    await page.evaluate(restoreTexts);
    await leaveScreen(page);
    return page.evaluate(isBare);
  }

  private async resolvePath({ path, staged }: Screen): Promise<string> {
    const [, name] = /\{(\w+)\}/.exec(path) ?? [];
    if (name === 'event') return path.replace('{event}', await this.eventId());
    if (!name && !staged) return path;
    this.staged ??= stagedEvents(this.stack.url, this.stack.member);
    const ids = await this.staged;
    return name ? path.replace(`{${name}}`, ids[name as keyof StagedEvents]) : path;
  }

  private async reader(who: Who): Promise<Reader> {
    const known = this.readers.get(who);
    if (known) return known;
    const { url, member, administrator } = this.stack;
    const visited =
      who === 'visitor' || who === 'phone'
        ? await visit(this.browser, url)
        : await visitAs(this.browser, who === 'member' ? member : administrator);
    // Marks the prompt for a profile photo as shown, so that it doesn't open. Another story checks it. Frames
    // without an origin have no session storage.
    const { page } = visited;
    const reader: Reader = { ...visited, texts: new TypedTexts(page), traffic: new Traffic(page) };
    await reader.page.addInitScript(() => {
      if (window.top === window) sessionStorage.setItem('profile-picture-prompt', 'shown');
    });
    this.readers.set(who, reader);
    return reader;
  }

  private async eventId(): Promise<string> {
    if (!this.event) {
      const { body } = await new ApiClient(this.stack.url).get<Event[]>(
        '/api/events/public?time=upcoming&limit=1',
      );
      this.event = body[0];
    }
    if (!this.event) throw new Error('the demo community has no upcoming event');
    return this.event.id;
  }
}

/** Ids of events whose state involves several people. `preview` is the token of a preview link. */
interface StagedEvents {
  full: string;
  waiting: string;
  cancelled: string;
  draft: string;
  preview: string;
  days: string;
  role: string;
  tonight: string;
  venue: string;
  evening: string;
  door: string;
  questions: string;
  past: string;
  demo: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function stagedEvents(url: string, account: Account): Promise<StagedEvents> {
  const admin = await administratorClient();
  const member = new ApiClient(url);
  await member.signIn(account);
  const { client: somebody } = await signedUp(url);
  const { client: another } = await signedUp(url);
  const stage = (words: string, fields: Parameters<typeof createdEvent>[1] = {}) =>
    createdEvent(admin, { title: `Staged ${words}`, startsIn: 90 * DAY, ...fields });

  const { body: self } = await member.get<{ id: string }>('/api/user');
  const [full, waiting, cancelled, draft, days, role, tonight, questions] = [
    await stage('full without a list', { capacity: 1 }),
    await stage('waiting list', { capacity: 1, waitlistEnabled: true, price: '15' }),
    await stage('cancelled lunch'),
    await stage('draft', { status: 'draft' }),
    await stage('camp of three days', {
      isAllDay: true,
      startDate: '2031-05-01T23:00:00.000Z',
      endDate: '2031-05-04T23:00:00.000Z',
    }),
    await stage('evening with hosts', {
      hosts: [self.id],
      speakers: [{ userId: self.id, role: 'Attribution without cookies', bio: null }],
    }),
    await stage('evening under way', { startsIn: HOUR, visibility: 'unlisted' }),
    await stage('supper with questions', {
      questions: [
        { kind: 'choice', label: 'What would you like to eat?', required: true, options: ['Curry', 'Pie'] },
        { kind: 'yesNo', label: 'Do you take the coach home?', required: true, options: [] },
        { kind: 'text', label: 'Is there anything you don’t eat?', options: [] },
      ],
    }),
  ];
  await somebody.post(`/api/events/${full.id}/register`);
  await somebody.post(`/api/events/${waiting.id}/register`);
  for (const client of [another, member])
    await client.post(`/api/events/${waiting.id}/register`, { waitlist: true });
  for (const { id } of [cancelled, days, tonight]) await member.post(`/api/events/${id}/register`);
  await admin.post(`/api/events/${cancelled.id}/cancel`, {
    reason: 'Our speaker is ill. We are looking for a new date in January.',
  });
  const { body } = await admin.post<{ token: string }>(`/api/events/${draft.id}/preview`);
  const { body: venue } = await admin.get<{ venueCode: string }>(`/api/admin/events/${tonight.id}/door`);
  const evening = await stage('evening at the door', {
    capacity: 3,
    waitlistEnabled: true,
    startsIn: 60_000,
  });
  const path = `/api/admin/events/${evening.id}`;
  for (const name of ['Ada Lovelace', 'Grace Hopper', 'Zoë Wilhelmina Featherstonehaugh-Müller'])
    await admin.expect(201, 'POST', `${path}/guests`, { name });
  await another.expect(201, 'POST', `/api/events/${evening.id}/register`, { waitlist: true });
  const door = await admin.expect<{ token: string }>(201, 'POST', `${path}/door-links`);
  const past = await stage('evening in spring', {
    startDate: '2024-05-01T17:00:00.000Z',
    endDate: '2024-05-01T19:00:00.000Z',
    recap: 'Forty of us came. **Grace** showed how a campaign is measured without cookies.',
  });
  for (const [alt, ...colours] of [
    ['The hall before the talk', '#c9d7f0', '#8fa9d6', '#24406e'],
    ['Grace answers questions', '#f4e3c1', '#d9a441', '#5c4a1f'],
    ['Farewell at the door', '#d3e8dc', '#6fa58a', '#1d4a37'],
  ] as const) {
    const picture = `data:image/png;base64,${(await stripes(colours)).toString('base64')}`;
    await admin.expect(201, 'POST', `/api/events/${past.id}/gallery`, { picture, alt });
  }
  const [demo] = await admin.expect<Event[]>(200, 'GET', '/api/events?q=Sixty%20at%20the%20Mill');
  return {
    full: full.id,
    waiting: waiting.id,
    cancelled: cancelled.id,
    draft: draft.id,
    preview: body.token,
    days: days.id,
    role: role.id,
    tonight: tonight.id,
    venue: venue.venueCode,
    evening: evening.id,
    door: door.token,
    questions: questions.id,
    past: past.id,
    demo: demo!.id,
  };
}
