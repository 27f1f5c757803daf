import type { Event } from '@meetmark/contracts';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, newcomer } from '../support/api-client.js';
import { DESKTOP, PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

describe('A visitor', () => {
  const { visit } = browserForTests();
  let event: Event;

  beforeAll(async () => {
    event = await createdEvent(await administratorClient(), { title: `Copy clinic ${Date.now()}` });
  });

  it.each([
    ['a desktop', DESKTOP, DESKTOP.height],
    ['a phone', PHONE, 560],
  ])('sees the first event without scrolling on %s', async (_, viewport, lowest) => {
    const { page } = await visit({ viewport });
    await page.goto('/');
    const first = page.locator('#events').getByRole('article').first();
    await first.waitFor();
    const { y = Infinity, height = 0 } = (await first.getByRole('heading').boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(viewport.height);
    expect((await first.boundingBox())?.y).toBeLessThan(lowest);
    await page.getByRole('link', { name: /^\d+ events? coming up$/ }).waitFor();
  });

  it('opens an event’s page from the image on its card', async () => {
    const { page } = await visit();
    await page.goto(`/?q=${encodeURIComponent(event.title)}`);
    const card = page.getByRole('article').filter({ hasText: event.title });
    // Clicks at coordinates, because another element covers the image.
    const { x, y, width } = (await card.locator('[data-muted]').boundingBox())!;
    await page.mouse.click(x + width / 2, y + 20);
    await page.waitForURL(/\/e\/copy-clinic-\d+$/);
    await page.getByRole('heading', { level: 1, name: event.title }).waitFor();
  });

  it('sees above the sign-in panel which event they are registering for', async () => {
    const { page } = await visit();
    await page.goto(`/api/login?returnTo=${encodeURIComponent(`/events/${event.id}`)}`);
    const main = page.getByRole('main');
    await main.getByText('One more step to register for').waitFor();
    const wanted = main.getByRole('article').filter({ hasText: event.title }).first();
    const panel = main.getByRole('heading', { name: 'Welcome back' });
    expect((await wanted.boundingBox())!.y).toBeLessThan((await panel.boundingBox())!.y);
  });

  it('emails the host of an event, who can reply to the visitor', async () => {
    const { page, context } = await visit({ viewport: PHONE });
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
    await dialog.getByRole('button', { name: 'Send message' }).click();
    await page.getByText(`Replies will go to ${email}.`).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const { text, headers } = await mailTo(
      sharedStack().administrator.email,
      new RegExp(`^Vera Visitor writes about ${event.title}$`),
    );
    expect(text).toContain('> May I bring my dog?\n> It is small.\n');
    expect(JSON.stringify(headers).toLowerCase()).toMatch(
      new RegExp(`reply-to[^{}]*vera visitor <${email.toLowerCase().replaceAll('+', '.')}>`),
    );
    const cookies = (await context.cookies()).map(({ name }) => name);
    expect(cookies.filter((name) => name.includes('session'))).toEqual([]);
  });
});
