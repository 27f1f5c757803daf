import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { administratorClient, visitAs } from '../support/administrator.js';
import { createdEvent, newcomer } from '../support/api-client.js';
import { connectBrowser, DESKTOP, PHONE, resize, type Visit } from '../support/browser.js';
import { query } from '../support/database.js';
import { openPath } from '../support/navigation.js';
import { sharedStack } from '../support/shared-stack.js';
import { fillWithLongest, overflowingTexts } from './longest-texts.js';
import { type Reader, ScreenOpener } from './open-screen.js';
import { type Screen, SCREENS } from './screens.js';

const { SCREENSHOTS } = process.env;

const IN_PSEUDO_LOCALE = ['landing', 'event-page', 'dashboard', 'my-events', 'profile', 'workspace-guests'];

/** Runs in the page. Adds accents to the text and sets right-to-left direction, like a pseudo-locale. */
function speakPseudo(): void {
  const accents: Record<string, string> = { a: 'åá', e: 'éê', i: 'ïî', o: 'öô', u: 'ûü' };
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node !== null; node = words.nextNode())
    if (!node.parentElement?.closest('script, style'))
      node.nodeValue = (node.nodeValue ?? '').replace(/[aeiou]/g, (vowel) => accents[vowel]!);
  document.documentElement.dir = 'rtl';
}

function layoutFaults(): string[] {
  const sideways = document.documentElement.scrollWidth - window.innerWidth;
  const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
    const { overflowX, textOverflow, visibility } = getComputedStyle(element);
    const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
    const isShown = element.clientWidth > 1 && visibility === 'visible';
    const isCut =
      overflowX !== 'visible' && overflowX !== 'auto' && element.scrollWidth > element.clientWidth + 1;
    return hasWords && isShown && isCut && textOverflow !== 'ellipsis';
  });
  return [
    ...(sideways > 0 ? [`scrolls ${sideways} px sideways`] : []),
    ...cut.map((element) => `cuts off: ${element.textContent}`),
  ];
}

function brokenWords(): string[] {
  const broken: string[] = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { parentElement, nodeValue } = node;
    if (!parentElement?.checkVisibility({ visibilityProperty: true })) continue;
    if (parentElement.closest('bdi') || nodeValue?.includes('@')) continue;
    for (const { 0: word, index } of nodeValue?.matchAll(/[\p{L}\p{N}]+/gu) ?? []) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
}

const titledIcons = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('button[title], a[title], [role="button"][title]')]
    .filter(({ innerText }) => innerText.trim() === '')
    .map((control) => `has a title: ${control.outerHTML}`);

const CHECKED = SCREENS.filter(({ isOnlyShown }) => SCREENSHOTS || !isOnlyShown);

describe('The screens at 390 and 1440 px, light and dark', () => {
  let browser: Browser;
  /**
   * Two screens are checked at the same time, each with a pair of openers: one for the phone, one for the
   * desktop.
   */
  let openers: (readonly [ScreenOpener, ScreenOpener])[];

  beforeAll(async () => {
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
    browser = await connectBrowser();
    openers = [0, 1].map(() => [new ScreenOpener(browser), new ScreenOpener(browser)]);
  });
  afterAll(async () => {
    await Promise.allSettled(looks.values());
    await browser.close();
  });

  /**
   * Returns a screen's faults at one width in pixels.
   * @param isNew whether the page has elements that weren't checked before
   */
  async function faultsAt(
    width: number,
    { name }: Screen,
    visited: Visit,
    isNew: boolean,
  ): Promise<string[]> {
    const { page, errors } = visited;
    const picture = async (scheme: string) => {
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${scheme}.png` });
    };
    const faults = isNew ? await faultsInBothSchemes(page, picture) : [];
    const titled = await page.evaluate(titledIcons);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (sideways > 0) faults.push(`scrolls ${sideways} px sideways`);
    return [...faults, ...titled, ...errors.splice(0)].map((fault) => `${width}: ${fault}`);
  }

  /**
   * Returns the faults of a screen on a phone and on a desktop. Resizes the phone's page for the desktop,
   * unless the screen must be opened again.
   */
  async function findFaults(screen: Screen, [opener, wide]: (typeof openers)[number]): Promise<string[]> {
    let visited = await opener.open(screen, PHONE);
    const faults = await faultsAt(PHONE.width, screen, visited, true);
    if (!screen.isNarrow) {
      const isOpenedAgain = SCREENSHOTS !== undefined || screen.growsParts === true;
      if (isOpenedAgain) visited = await wide.open(screen, DESKTOP);
      else await resize(visited.page, DESKTOP);
      faults.push(
        ...(await faultsAt(DESKTOP.width, screen, visited, isOpenedAgain)),
        ...(await longTextFaults(DESKTOP.width, screen, visited)),
      );
      await resize(visited.page, PHONE);
    }
    return [...faults, ...(await longTextFaults(PHONE.width, screen, visited))];
  }

  /**
   * Fills the screen with the longest texts and returns what overflows. Must run last, because it changes the
   * page.
   */
  async function longTextFaults(width: number, { name }: Screen, { page, texts }: Reader): Promise<string[]> {
    await page.evaluate(fillWithLongest, texts.toArray());
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-long.png` });
    const faults = await page.evaluate(overflowingTexts);
    return faults.map((fault) => `${width}: ${fault}`);
  }

  const looks = new Map<Screen, Promise<string[]>>();
  const busy: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  function lookedAt(screen: Screen): Promise<string[]> {
    const first = CHECKED.indexOf(screen);
    for (const at of [first, first + 1]) {
      const each = CHECKED[at];
      if (each === undefined || looks.has(each)) continue;
      const look = busy[at % 2]!.then(() => findFaults(each, openers[at % 2]!));
      busy[at % 2] = look.catch(() => undefined);
      looks.set(each, look);
    }
    return looks.get(screen)!;
  }

  it.each(CHECKED)(
    '$name is accessible and does not scroll sideways, even with long texts',
    async (screen) => {
      expect(await lookedAt(screen)).toEqual([]);
    },
  );

  it('shows German text and long payment notes without broken words or overflow', async () => {
    const client = await administratorClient();
    const german = { ...newcomer('Greta', 'Grün'), isAdmin: true };
    await client.expect(201, 'POST', '/api/admin/users', german);
    const { id } = await createdEvent(client, {
      price: '12.50',
      capacity: 8,
      paymentNote: `Transfer it to the account of the association by Monday, or pay at the door. ${'Ask us for an invoice. '.repeat(4)}`,
    });
    await query(
      sharedStack().databaseUrl,
      `INSERT INTO admin.audit_log (id, action, actor_id, changed, at)
       VALUES (gen_random_uuid(), 'settings.changed', gen_random_uuid(), '{terms,privacy,paymentNoteDefault}', now())`,
    );
    const { context, page } = await visitAs(browser, german);
    await context.request.put('/api/user/profile', { data: { locale: 'de' } });
    const wrong: [path: string, width: number, faults: string[]][] = [];
    for (const [path, width, words] of [
      ['/admin/audit', 1440, 'Nutzungsbedingungen'],
      ['/admin/users', 320, 'Konten verwalten'],
      ['/admin/users', 864, 'Konten verwalten'],
      ['/admin/users', 960, 'Konten verwalten'],
      [`/events/${id}`, 390, 'Ask us for an invoice.'],
      [`/events/${id}`, 1440, 'Ask us for an invoice.'],
      ['/dashboard', 390, 'Kommende Veranstaltungen'],
      ['/terms', 320, 'Nutzungsbedingungen'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await openPath(page, path);
      await page.getByRole('main').getByText(words).first().waitFor();
      const faults = [...(await page.evaluate(layoutFaults)), ...(await page.evaluate(brokenWords))];
      if (faults.length > 0) wrong.push([path, width, faults]);
    }
    await context.close();
    expect(wrong).toEqual([]);
  });

  it.each(SCREENS.filter(({ name }) => IN_PSEUDO_LOCALE.includes(name)))(
    '$name fits longer right-to-left text on a phone',
    async (screen) => {
      const { page } = await openers[0]![0].open(screen, PHONE);
      await page.evaluate(speakPseudo);
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${screen.name}-390-pseudo.png`, fullPage: true });
      expect(await page.evaluate(layoutFaults)).toEqual([]);
    },
  );
});
