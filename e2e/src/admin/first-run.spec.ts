import { mkdir } from 'node:fs/promises';
import type { CommunitySettings } from '@meetmark/contracts';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { until } from '@meetmark/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { toastSaying } from '../support/administrator.js';
import { DESKTOP, connectBrowser, PHONE, readDownload, visit } from '../support/browser.js';

const { SCREENSHOTS } = process.env;
/** Maximum number of clicks and fields from the set-up link to the link of a published event. */
const AT_MOST = 17;

const STOPS = 120;

async function reach(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  const focused = control.and(page.locator(':focus'));
  for (let stop = 0; stop < STOPS; stop += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${String(control)}`);
}

async function typeInto(page: Page, field: Locator, words: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(words);
}

async function pressEnterOn(page: Page, control: Locator): Promise<void> {
  await reach(page, control);
  await page.keyboard.press('Enter');
}

describe('A new installation', () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
    [stack, browser] = await Promise.all([startTestStack({ unowned: true }), connectBrowser()]);
  });
  afterAll(() => Promise.all([stack.stop(), browser.close()]));

  async function findFaults(page: Page, name: string): Promise<string[]> {
    const width = page.viewportSize()!.width;
    const picture = async (scheme: string) => {
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${scheme}.png`, fullPage: true });
    };
    const faults = await faultsInBothSchemes(page, picture);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    return [...faults, ...(sideways > 0 ? [`scrolls ${sideways} px sideways`] : [])];
  }

  it('takes at most 17 keyboard steps from German set-up to sharing an event', async () => {
    const visitor = await visit(browser, stack.url, { viewport: PHONE, locale: 'de-DE' });
    await visitor.page.goto('/events');
    await visitor.page.getByRole('heading', { name: 'Diese Website ist noch nicht eröffnet' }).waitFor();
    expect(await findFaults(visitor.page, 'setup-closed')).toEqual([]);

    const owner = await visit(browser, stack.url, { timezoneId: 'Europe/Lisbon', locale: 'de-DE' });
    const { page } = owner;
    let done = 0;
    const fill = (label: string, value: string) => {
      done += 1;
      return typeInto(page, page.getByLabel(label, { exact: true }), value);
    };
    const press = (name: string) => {
      done += 1;
      return pressEnterOn(page, page.getByRole('button', { name, exact: true }));
    };
    const looked: [name: string, faults: string[]][] = [];
    const look = async (name: string) => {
      for (const size of SCREENSHOTS ? [DESKTOP, PHONE] : [PHONE]) {
        await page.setViewportSize(size);
        looked.push([name, await findFaults(page, name)]);
      }
    };

    await page.goto('/setup#' + 'A'.repeat(22));
    await fill('Vorname', 'Ola');
    await fill('Nachname', 'Silva');
    await fill('E-Mail-Adresse', 'ola@rust.example');
    await fill('Passwort', 'short');
    await press('Weiter');
    await page.getByText('Geben Sie mindestens 10 Zeichen ein').waitFor();
    await fill('Passwort', 'correct horse');
    await press('Weiter');
    await page.getByText('Dieser Link gilt nicht mehr. Bitten Sie den Betreiber um einen neuen.').waitFor();
    await look('setup-refused');

    done = 0;
    await page.goto('about:blank');
    await page.goto(stack.setupUrl!);
    await fill('Vorname', 'Ola');
    await fill('Nachname', 'Silva');
    await fill('E-Mail-Adresse', 'ola@rust.example');
    await fill('Passwort', 'correct horse');
    await press('Weiter');

    await page.getByRole('heading', { name: 'Community' }).waitFor();
    await fill('Name der Community', 'Rust Porto');
    await fill('Überschrift', 'Fearless people by the river');
    // The shortest path has no pale colour and no invitations, so the steps for them aren't counted.
    await typeInto(page, page.getByLabel('Markenfarbe', { exact: true }), '#ffee00');
    await page.getByText(/Schrift und Links wären damit .* in einem ähnlichen Farbton: #\w{6}/).waitFor();
    await look('setup-colour');
    await fill('Markenfarbe', '#8a1c4a');
    await page.getByRole('group', { name: 'So sieht es aus' }).waitFor();
    done += 1;
    const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#8a1c4a' } })
      .png()
      .toBuffer();
    const choosing = page.waitForEvent('filechooser');
    await pressEnterOn(page, page.locator('button', { hasText: 'Logo auswählen' }));
    await (await choosing).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.getByRole('button', { name: 'Anderes auswählen' }).waitFor();
    await look('setup-community');
    await press('Weiter');

    await page.getByRole('heading', { name: 'Region und Sprache' }).waitFor();
    expect(await page.getByLabel('Zeitzone').inputValue()).toBe('Europe/Lisbon');
    expect(await page.getByLabel('Sprache', { exact: true }).inputValue()).toBe('de');
    await look('setup-region');
    await press('Weiter');

    await page.getByRole('heading', { name: 'Erste Veranstaltung' }).waitFor();
    await fill('Wie heißt die Veranstaltung?', 'Ownership for beginners');
    await fill('Wo', 'Rua das Flores 1');
    await look('setup-event');
    await press('Veröffentlichen');
    await page.getByRole('heading', { name: 'Organisatoren' }).waitFor();

    const first = page.getByRole('group', { name: 'Organisator 1' });
    await typeInto(page, first.getByLabel('Vorname'), 'Rui');
    await typeInto(page, first.getByLabel('Nachname'), 'Costa');
    await typeInto(page, first.getByLabel('E-Mail-Adresse'), 'rui@rust.example');
    await pressEnterOn(page, first.getByRole('button', { name: 'Einladen' }));
    await first.getByText('Eingeladen', { exact: true }).waitFor();
    await look('setup-organisers');
    await press('Fertig');
    await page.getByRole('heading', { name: 'Rust Porto ist bereit' }).waitFor();
    await look('setup-ready');

    await owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    done += 1;
    await pressEnterOn(page, page.getByRole('link', { name: 'Zur Veranstaltung' }));
    await press('Teilen');
    await page.getByText('Link kopiert').waitFor();
    expect(done).toBeLessThanOrEqual(AT_MOST);
    const shared = await page.evaluate(() => navigator.clipboard.readText());
    expect(shared).toBe(`${stack.url}/e/ownership-for-beginners`);
    await visitor.page.goto(shared);
    await visitor.page.getByRole('heading', { name: 'Ownership for beginners', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Rust Porto ist bereit' }).waitFor();

    await pressEnterOn(page, page.getByRole('link', { name: 'Einstellungen' }));
    await page.getByRole('heading', { name: 'Version 2' }).or(page.getByText('Version 2')).waitFor();
    await fill('Zeile unter der Überschrift', 'Rust, in the North of Portugal.');
    await press('Einstellungen speichern');
    await page.getByText('Version 3').waitFor();
    await look('settings');

    await page.goto('/admin/topics');
    await fill('Neues Thema', 'Ownership');
    await page.keyboard.press('Enter');
    await press('Umbenennen: Ownership');
    const dialog = page.getByRole('dialog');
    await typeInto(page, dialog.getByLabel('Name', { exact: true }), 'Borrowing');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await press('Löschen: Borrowing');
    await pressEnterOn(page, dialog.getByRole('button', { name: 'Löschen', exact: true }));
    await page.getByText('Noch keine Themen').waitFor();
    expect(looked.filter(([, faults]) => faults.length > 0)).toEqual([]);

    await visitor.page.goto('/');
    await visitor.page.getByRole('heading', { name: 'Fearless people by the river' }).waitFor();
    await visitor.page.getByRole('link', { name: 'Ownership for beginners' }).first().waitFor();
    expect(await visitor.page.getByRole('heading', { name: 'noch nicht eröffnet' }).count()).toBe(0);

    await page.goto('/admin/settings');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Exportieren' }).click();
    const file = JSON.parse(String(await readDownload(await downloading))) as { settings: CommunitySettings };
    expect(file.settings).toMatchObject({
      tagline: 'Rust, in the North of Portugal.',
      logoUrl: expect.stringMatching(/^data:image/),
    });
    file.settings.headline = 'Fearless from a file';
    const importing = page.waitForEvent('filechooser');
    await page.locator('button', { hasText: 'Importieren' }).click();
    const buffer = Buffer.from(JSON.stringify(file));
    await (await importing).setFiles({ name: 'settings.json', mimeType: 'application/json', buffer });
    await toastSaying(page, 'Die Einstellungen wurden importiert');
    await until('the headline of the file on the first page', 60_000, async () => {
      await visitor.page.goto('/');
      return (await visitor.page.getByRole('heading', { level: 1 }).innerText()) === 'Fearless from a file';
    });
    expect([...visitor.errors, ...owner.errors]).toEqual([]);
  });
});
