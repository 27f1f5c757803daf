import { rm, writeFile } from 'node:fs/promises';
import { FaultProxy } from '@meetmark/bench/faults/fault-proxy';
import type { Door, Guest, GuestCode } from '@meetmark/contracts';
import type { BrowserContext, Page } from 'playwright-core';
import { encode } from 'uqr';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { Keyboard } from '../support/keyboard.js';
import { sharedBrowser, sharedStack } from '../support/shared-stack.js';

const HOUR = 3_600_000;
const WIDTH = 640;
const HEIGHT = 480;

/** Returns a video of the code for the fake camera: two equal, uncompressed frames. */
function renderVideo(text: string): Buffer {
  const { data, size } = encode(text, { border: 4 });
  const scale = Math.floor(HEIGHT / size);
  const grey = Buffer.alloc(WIDTH * HEIGHT, 200);
  const [left, top] = [(WIDTH - size * scale) >> 1, (HEIGHT - size * scale) >> 1];
  for (let y = 0; y < size * scale; y += 1)
    for (let x = 0; x < size * scale; x += 1)
      grey[(top + y) * WIDTH + left + x] = data[Math.floor(y / scale)]![Math.floor(x / scale)] ? 20 : 235;
  const colour = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), grey, colour]);
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`),
    frame,
    frame,
  ]);
}

const wrongClock = (context: BrowserContext, by: number) =>
  context.addInitScript((ahead) => {
    const Real = Date;
    const moved = () => Real.now() + ahead;
    globalThis.Date = class extends Real {
      constructor(...given: string[]) {
        super(given[0] ?? moved());
      }
      static override now = moved;
    } as DateConstructor;
  }, by);

const find = async (phone: Page, typed: string) => {
  const keyboard = new Keyboard(phone);
  const field = phone.getByLabel('Find a guest');
  if ((await field.and(phone.locator(':focus')).count()) === 0) await keyboard.to(field);
  await phone.keyboard.press('ControlOrMeta+a');
  await phone.keyboard.type(typed);
  await phone.keyboard.press('Enter');
};
const says = (phone: Page, words: string | RegExp) => phone.getByRole('status').getByText(words).waitFor();
const counts = (phone: Page, words: string) => phone.getByText(words, { exact: true }).waitFor();
const kept = (phone: Page) =>
  phone.evaluate(async () => {
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('door');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error!);
    });
    const all = [...opened.objectStoreNames].map(
      (name) =>
        new Promise<number>((resolve) => {
          const counting = opened.transaction(name).objectStore(name).count();
          counting.onsuccess = () => resolve(counting.result);
        }),
    );
    return (await Promise.all(all)).reduce((sum, rows) => sum + rows);
  });

describe('The door of an event', () => {
  const { url } = sharedStack();
  const { cameraFile } = sharedBrowser();
  const { visit, visitAsAdministrator } = browserForTests();
  let network: FaultProxy;
  const phone = async (address: string, ahead = 0) => {
    const { context, page } = await visit({ viewport: PHONE });
    await wrongClock(context, ahead);
    await page.goto(address);
    await counts(page, '0 of 3');
    return page;
  };
  const printed = async (desk: Page, title: string) => {
    await desk.emulateMedia({ media: 'print' });
    // The poster has the colours of the community.
    await desk.evaluate(() => document.documentElement.style.setProperty('--deep', '#402010'));
    const poster = desk.getByText('Scan to check in').locator('..');
    await poster.getByText(title).waitFor();
    expect(await desk.getByRole('button').count()).toBe(0);
    expect(await poster.evaluate((it) => getComputedStyle(it).borderTopColor)).toBe('rgb(64, 32, 16)');
    const { SCREENSHOTS } = process.env;
    if (SCREENSHOTS) await desk.screenshot({ path: `${SCREENSHOTS}/poster.png` });
    const pdf = (await desk.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    await desk.emulateMedia({ media: null });
  };
  const networkIsBack = async (far: Page) => {
    await network.set({ kind: 'pass' });
    await far.evaluate(() => window.dispatchEvent(new Event('online')));
  };
  const staged = async () => {
    const administrator = await administratorClient();
    const event = await createdEvent(administrator, { capacity: 3, startsIn: 60_000 });
    const path = `/api/admin/events/${event.id}`;
    for (const name of ['Änne Bell', 'Ben Brown'])
      await administrator.expect<Guest>(201, 'POST', `${path}/guests`, { name });
    const { client, user } = await signedUp(url);
    await client.expect(201, 'POST', `/api/events/${event.id}/register`);
    const own = await client.expect<GuestCode & { url: string }>(
      200,
      'GET',
      `/api/my-events/${event.id}/code`,
    );
    return { administrator, event, path, own, name: `${user.firstName} ${user.lastName}` };
  };
  let scene: Awaited<ReturnType<typeof staged>>;

  beforeAll(async () => {
    scene = await staged();
    network = await FaultProxy.before(url);
    await writeFile(cameraFile, renderVideo(scene.own.url));
  });
  afterAll(async () => {
    await network.close();
    await rm(cameraFile);
  });

  it('syncs check-ins of two phones, even offline, until the door link ends', async () => {
    const { administrator, event, path, own, name } = scene;
    const { page: desk } = await visitAsAdministrator();
    await desk.goto(`/admin/events/${event.id}/door`);
    await desk.getByRole('button', { name: 'Make a door link' }).press('Enter');
    const address = await desk
      .getByLabel('Door link', { exact: true })
      .and(desk.locator('input'))
      .inputValue();
    await printed(desk, event.title);
    const near = await phone(address);
    const far = await phone(new URL(new URL(address).pathname, network.url).href, HOUR);
    expect(await near.title()).toBe(`Door · ${event.title}`);

    await far.evaluate('navigator.serviceWorker.ready');
    await network.set({ kind: 'down' });
    const before = Date.now();
    await find(far, 'anne');
    await says(far, 'Änne Bell is in');
    const after = Date.now();
    await far.reload();
    await says(far, 'No network · 1 waiting to be sent');
    await counts(far, '1 of 3');

    await find(near, 'Änne b');
    await says(near, 'Änne Bell is in');
    await near.getByRole('button', { name: 'Undo' }).waitFor();
    await networkIsBack(far);
    await says(far, /^Online$/);
    const [guest] = await administrator.expect<Guest[]>(200, 'GET', `${path}/guests?checkedIn=true`);
    const checkedInAt = Date.parse(guest!.checkedInAt!);
    expect(checkedInAt).toBeGreaterThanOrEqual(before - 1_000);
    expect(checkedInAt).toBeLessThanOrEqual(after + 1_000);
    const { counts: counted } = await administrator.expect<Door>(200, 'GET', `${path}/door`);
    expect(counted).toEqual({ registered: 3, checkedIn: 1 });

    await find(far, own.code);
    await says(far, `${name} is in`);
    const keyboard = new Keyboard(far);
    await keyboard.isAt(far.getByLabel('Find a guest'));
    await keyboard.press(far.getByRole('button', { name: 'Undo' }));
    await says(far, `${name} is no longer checked in`);
    await keyboard.sees();
    await find(far, 'Anne');
    await says(far, /^already in at \d/);

    await network.set({ kind: 'down' });
    await find(far, 'brown');
    await says(far, 'Ben Brown is in');
    await desk.getByRole('button', { name: /^End the link made/ }).press('Enter');
    await desk.getByRole('dialog').getByRole('button', { name: 'End the door link' }).press('Enter');
    await desk.getByText(/ · Ended /).waitFor();
    await find(near, 'ben');
    await near.getByRole('heading', { name: 'This door link no longer works' }).waitFor();
    await networkIsBack(far);
    await far.getByText('1 check-in wasn’t accepted.').waitFor();
    await far.getByText('Ben Brown').waitFor();
    expect([await kept(near), await kept(far)]).toEqual([0, 0]);
    await desk.reload();
    await desk.getByRole('region', { name: 'Not accepted' }).getByText('Ben Brown').first().waitFor();
  });

  it('checks a guest in by scanning their code with the camera', async () => {
    const { administrator, path, name } = scene;
    const { token } = await administrator.expect<{ token: string }>(201, 'POST', `${path}/door-links`);
    const { page } = await visit({ viewport: PHONE, permissions: ['camera'] });
    await page.goto(`/door/${token}`);
    await page.getByRole('button', { name: 'Scan codes' }).press('Enter');
    await says(page, `${name} is in`);
    await page.getByRole('button', { name: 'Stop the camera' }).press('Enter');
    await page.locator('video').waitFor({ state: 'detached' });
  });

  it('adds a walk-in and reports an ended link, by keyboard on a 320 px phone', async () => {
    const { administrator, path } = scene;
    const link = await administrator.expect<{ token: string; id: string }>(201, 'POST', `${path}/door-links`);
    const { page, context } = await visit({ viewport: { width: 320, height: 480 } });
    await page.goto(`/door/${link.token}`);
    const keyboard = new Keyboard(page);
    await page.getByText('of 3').first().waitFor();
    const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    await keyboard.press(page.getByRole('button', { name: 'Add a walk-in' }));
    await page.getByRole('dialog').waitFor();
    await keyboard.type(page.getByLabel('Name', { exact: true }), 'Wanda Walker');
    await keyboard.type(page.getByLabel('Email (optional)'), 'wanda@localhost');
    await page.keyboard.press('Enter');
    await page.getByText('Wanda Walker couldn’t be let in').first().waitFor();
    await keyboard.sees();
    expect(await isTooWide()).toBe(false);
    await context.setOffline(true);
    await find(page, 'Ben');
    await page.getByText('1 waiting to be sent').first().waitFor();
    await administrator.expect(204, 'DELETE', `${path}/door-links/${link.id}`);
    await context.setOffline(false);
    await keyboard.isAt(page.getByRole('heading', { name: 'This door link no longer works' }));
    expect(await isTooWide()).toBe(false);
  });
});
