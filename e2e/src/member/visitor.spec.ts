import type { Event } from '@meetmark/contracts';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { accessibilityFaults } from '../support/accessibility.js';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, newcomer } from '../support/api-client.js';
import { DESKTOP, openBrowser, PHONE, visit } from '../support/browser.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

describe('A visitor', () => {
  const { url, administrator } = sharedStack();
  let browser: Browser;
  let event: Event;

  beforeAll(async () => {
    browser = await openBrowser();
    event = await createdEvent(await administratorClient(), {
      title: `Copy clinic ${Date.now()}`,
      description: 'Read https://slides.example/1 before you come.',
    });
  });
  afterAll(() => browser.close());

  it.each([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ])('meets the first event within the first screen of %s', async (_, viewport) => {
    const { page, context } = await visit(browser, url, { viewport });
    await page.goto('/');
    const title = page.locator('#events').getByRole('article').first().getByRole('heading');
    await title.waitFor();
    const { y = Infinity, height = 0 } = (await title.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(viewport.height);
    await page.getByRole('link', { name: /^\d+ events? coming up$/ }).waitFor();
    await context.close();
  });

  it('comes to an event’s page by the picture of its card', async () => {
    const { page, context, errors } = await visit(browser, url);
    await page.goto(`/?q=${encodeURIComponent(event.title)}`);
    const card = page.getByRole('article').filter({ hasText: event.title });
    // whatever lies over the picture is what a visitor meets there
    const { x, y, width } = (await card.locator('[data-muted]').boundingBox())!;
    await page.mouse.click(x + width / 2, y + 20);
    await page.waitForURL(/\/e\/copy-clinic-\d+$/);
    await page.getByRole('heading', { level: 1, name: event.title }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('signs in on a phone in a sheet, and in the page where one was sent to sign in', async () => {
    const { page, context } = await visit(browser, url, { viewport: PHONE });
    await page.goto('/');
    await page.getByText(/^\d+ events? found$/).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
    await page.goto('/?signup=1');
    await page.getByRole('main').getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
    await page.goto('/?signin=1');
    await page.getByRole('main').getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
    await page.waitForFunction('document.activeElement?.type === "email"');
    await context.close();
  });

  it('who comes from an event finds it above the panel, which opens on Sign In', async () => {
    const { page, context, errors } = await visit(browser, url);
    await page.goto(`/api/login?returnTo=${encodeURIComponent(`/events/${event.id}`)}`);
    const main = page.getByRole('main');
    await main.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
    await main.getByText('One step before your place at').waitFor();
    const wanted = main.getByRole('article').filter({ hasText: event.title }).first();
    const panel = main.getByRole('heading', { name: 'Welcome back' });
    expect((await wanted.boundingBox())!.y).toBeLessThan((await panel.boundingBox())!.y);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('asks the host of an event, who reads it in a mail that is answered to the visitor', async () => {
    const { page, context, errors } = await visit(browser, url, { viewport: PHONE });
    const email = newcomer('Vera').email;
    await page.goto(`/events/${event.id}`);
    await page.getByRole('button', { name: 'Contact the host' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Their own address is not shown.').waitFor();
    await dialog.getByLabel('Your message').fill('May I bring my dog?\nIt is small.');
    await dialog.getByLabel('Your name').fill('Vera Visitor');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Send me the code' }).click();
    await dialog.getByLabel('6-digit code').fill(codeIn(await mailTo(email, /^Your code for a message/)));
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send message' }).click();
    await page.getByText(`The answer comes to ${email}.`).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const mail = await mailTo(administrator.email, new RegExp(`^Vera Visitor writes about ${event.title}$`));
    expect(mail.text).toContain('> May I bring my dog?\n> It is small.\n');
    expect(JSON.stringify(mail.headers).toLowerCase()).toMatch(
      new RegExp(`reply-to[^{}]*vera visitor <${email.toLowerCase().replaceAll('+', '.')}>`),
    );
    const cookies = (await context.cookies()).map(({ name }) => name);
    expect(cookies.filter((name) => name.includes('session'))).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('reads an event’s details by its link, without the names of who is coming', async () => {
    const { page, context } = await visit(browser, url);
    await page.goto(`/?event=${event.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: event.title }).waitFor();
    for (const text of [
      'Open for Registration',
      'Free Event',
      'Attendees (0)',
      'No attendees yet',
      'Be the first to register!',
    ])
      await dialog.getByText(text).waitFor();
    // its colour alone would not show the link within plain text
    await dialog.getByRole('link', { name: 'https://slides.example/1' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });

  it('can put the site among the apps of a phone', async () => {
    const read = async (path: string) => {
      const answer = await fetch(new URL(path, url));
      expect(answer.status).toBe(200);
      return answer;
    };
    const { display, icons } = (await (await read('/manifest.webmanifest')).json()) as {
      display: string;
      icons: { src: string; sizes: string; type: string; purpose?: string }[];
    };
    expect(display).toBe('standalone');
    const pictures = icons.filter(({ type }) => type === 'image/png');
    for (const { src, sizes } of pictures) {
      const { format, width, height } = await sharp(await (await read(src)).arrayBuffer()).metadata();
      expect([src, format, `${width}x${height}`]).toEqual([src, 'png', sizes]);
    }
    expect(pictures.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
      ['192x192', undefined],
      ['512x512', undefined],
      ['512x512', 'maskable'],
    ]);
  });

  it('reads on an unknown address that there is nothing', async () => {
    const { page, context } = await visit(browser, url);
    await page.goto('/no-such-page');
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
    await page.getByText('There is nothing at this address.').waitFor();
    await page.getByText('Did you forget to add the page to the router?').waitFor();
    await context.close();
  });
});
