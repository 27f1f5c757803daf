import type { Event } from '@meetmark/contracts';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { accessibilityFaults } from '../support/accessibility.js';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { DESKTOP, openBrowser, PHONE, visit } from '../support/browser.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { submitPassword } from '../support/second-factor.js';
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
  ])('sees the first event without scrolling on %s', async (_, viewport) => {
    const { page, context } = await visit(browser, url, { viewport });
    await page.goto('/');
    const title = page.locator('#events').getByRole('article').first().getByRole('heading');
    await title.waitFor();
    const { y = Infinity, height = 0 } = (await title.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(viewport.height);
    await page.getByRole('link', { name: /^\d+ events? coming up$/ }).waitFor();
    await context.close();
  });

  it('opens an event’s page from the image on its card', async () => {
    const { page, context, errors } = await visit(browser, url);
    await page.goto(`/?q=${encodeURIComponent(event.title)}`);
    const card = page.getByRole('article').filter({ hasText: event.title });
    // Clicks at coordinates, because another element covers the image.
    const { x, y, width } = (await card.locator('[data-muted]').boundingBox())!;
    await page.mouse.click(x + width / 2, y + 20);
    await page.waitForURL(/\/e\/copy-clinic-\d+$/);
    await page.getByRole('heading', { level: 1, name: event.title }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('opens the sign-in dialog on a phone, or the form by URL', async () => {
    const { page, context } = await visit(browser, url, { viewport: PHONE });
    await page.goto('/');
    await page.getByText(/^\d+ events? found$/).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    // The dialog needs scripts. Before they run, the same link leads to a page with the form.
    await page.getByRole('main').locator('a[aria-haspopup=dialog]', { hasText: 'Sign In' }).click();
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

  it('is asked to allow cookies if the session is lost, and signs in afterwards', async () => {
    const { person } = await signedUp(url);
    const { page, context, errors } = await visit(browser, url);
    await page.route('/api/login', async (route) => {
      const response = await route.fetch();
      await context.clearCookies();
      const { 'set-cookie': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await page.goto('/?signin=1');
    await submitPassword(page, person);
    await page.getByRole('alert').getByText('Allow cookies for this site').waitFor();
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(person.email);
    await page.unroute('/api/login');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL(({ search }) => !search.includes('signin'));
    expect(errors).toEqual([]);
    await context.close();
  });

  it('sees above the sign-in panel which event they are registering for', async () => {
    const { page, context, errors } = await visit(browser, url);
    await page.goto(`/api/login?returnTo=${encodeURIComponent(`/events/${event.id}`)}`);
    const main = page.getByRole('main');
    await main.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
    await main.getByText('One more step to register for').waitFor();
    const wanted = main.getByRole('article').filter({ hasText: event.title }).first();
    const panel = main.getByRole('heading', { name: 'Welcome back' });
    expect((await wanted.boundingBox())!.y).toBeLessThan((await panel.boundingBox())!.y);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('emails the host of an event, who can reply to the visitor', async () => {
    const { page, context, errors } = await visit(browser, url, { viewport: PHONE });
    const email = newcomer('Vera').email;
    await page.goto(`/events/${event.id}`);
    await page.getByRole('button', { name: 'Contact the host' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You’ll only see their address once they reply.').waitFor();
    await dialog.getByLabel('Your message').fill('May I bring my dog?\nIt is small.');
    await dialog.getByLabel('Your name').fill('Vera Visitor');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Send me the code' }).click();
    await dialog.getByLabel('6-digit code').fill(codeIn(await mailTo(email, /^Your code for a message/)));
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send message' }).click();
    await page.getByText(`Replies will go to ${email}.`).waitFor();
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

  it('opens an event’s details from a link', async () => {
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
    await dialog.getByRole('link', { name: 'https://slides.example/1' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });

  it('gets a web app manifest with icons of the declared sizes', async () => {
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

  it('sees a 404 page at an unknown URL', async () => {
    const { page, context } = await visit(browser, url);
    await page.goto('/no-such-page');
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
    await page.getByText('This page doesn’t exist.').waitFor();
    await page.getByText('Did you forget to add the page to the router?').waitFor();
    await context.close();
  });
});
