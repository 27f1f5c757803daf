import type { EventPage } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { Locator, Page } from 'playwright-core';
import { administratorClient, toastSaying } from '../support/administrator.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView } from './events-view.js';

const HOSTILE = `<p onclick="window.pwned=1">Safe<script>window.pwned=1</script><img src="https://track.example/p.gif" onerror="window.pwned=1">
  <a href="javascript:window.pwned=1">words</a></p><style>*{display:none}</style><svg onload="window.pwned=1"></svg>`;

const paste = (field: Locator, html: string) =>
  field.evaluate((target, content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', content);
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);

describe('The description editor', () => {
  let page: Page;
  let view: EventsView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new EventsView(page, await administratorClient());
  });

  const editor = async () => {
    await view.dialog().getByRole('toolbar', { name: 'Formatting' }).first().waitFor();
    return view.dialog().getByRole('textbox', { name: 'Description', exact: true });
  };
  const tool = (name: string) =>
    view
      .dialog()
      .getByRole('toolbar', { name: 'Formatting' })
      .first()
      .getByRole('button', { name, exact: true });
  it('supports shortcuts, a toolbar, safe pasting and undo, and restores a draft', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    let text = await editor();
    await text.click();
    await page.keyboard.type('Bring ');
    await page.keyboard.press('ControlOrMeta+b');
    expect(await tool('Bold').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.type('coffee');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type(' and the map');
    for (let at = 0; at < 'the map'.length; at += 1) await page.keyboard.press('Shift+ArrowLeft');
    const link = async (address: string) => {
      await view.dialog().getByLabel('Link destination').fill(address);
      await page.keyboard.press('Enter');
      await text.locator(`a[href="https://${address}"]`, { hasText: 'the map' }).waitFor();
    };
    await tool('Link').click();
    await link('maps.example.org/there');
    // The shortcut applies to the link that contains the caret, so this waits for the caret.
    await page.keyboard.press('ArrowLeft');
    await until('the link', 60_000, async () => (await tool('Link').getAttribute('aria-pressed')) === 'true');
    await page.keyboard.press('ControlOrMeta+k');
    await link('maps.example.org/here');
    await page.keyboard.press('Enter');
    await tool('List').click();
    await page.keyboard.type('a talk');
    await page.keyboard.press('Enter');
    await page.keyboard.type('a walk');
    const below = text.locator('li li', { hasText: 'a walk' });
    await page.keyboard.press('ControlOrMeta+]');
    await below.waitFor();
    await page.keyboard.press('ControlOrMeta+[');
    await below.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await paste(text, HOSTILE);
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
    // Without key presses, because a pause between them would make the editor undo only the last part.
    await page.keyboard.insertText('Too much');
    await text.getByText('Too much').waitFor();
    await tool('Undo').click();
    await text.getByText('Too much').waitFor({ state: 'detached' });
    for (const [again, back] of [
      [() => page.keyboard.press('ControlOrMeta+y'), () => page.keyboard.press('ControlOrMeta+z')],
      [() => tool('Redo').click(), () => tool('Undo').click()],
    ] as const) {
      await again();
      await text.getByText('Too much').waitFor();
      await back();
      await text.getByText('Too much').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Enter');
    await page.keyboard.type('The way');
    await tool('Heading').click();
    await text.getByRole('heading', { name: 'The way' }).waitFor();
    await page.keyboard.press('Enter');
    for (const [words, italic] of [
      ['on foot', () => page.keyboard.press('ControlOrMeta+i')],
      ['by tram', () => tool('Italic').click()],
    ] as const) {
      await italic();
      expect(await tool('Italic').getAttribute('aria-pressed')).toBe('true');
      await page.keyboard.type(words);
      await italic();
      await page.keyboard.type(', ');
      await text.locator('em', { hasText: words }).waitFor();
    }
    await page.keyboard.type('then');
    await page.keyboard.press('Enter');
    await page.keyboard.type('ring');
    const [numbered, pointed] = ['ol', 'ul'].map((list) => text.locator(list, { hasText: 'ring' }));
    for (const [makeIt, list] of [
      [() => page.keyboard.press('ControlOrMeta+Shift+7'), numbered],
      [() => page.keyboard.press('ControlOrMeta+Shift+8'), pointed],
      [() => tool('Numbered list').click(), numbered],
    ] as const) {
      await makeIt();
      await list!.waitFor();
    }

    // The form saves its draft shortly after the last key press.
    await page.waitForFunction(
      (id) =>
        Object.entries(localStorage).some(
          ([key, value]) => key.includes(id) && String(value).includes('1. ring'),
        ),
      event.id,
    );
    await page.reload();
    await view.act(event.title, 'Edit');
    await view.dialog().getByRole('button', { name: 'Restore' }).click();
    text = await editor();
    await text.locator('strong', { hasText: 'coffee' }).waitFor();
    const written =
      'Bring **coffee** and [the map](https://maps.example.org/here)\n\n- a talk\n- a walk\n\nSafe words\n\n### The way\n\n*on foot*, *by tram*, then\n\n1. ring';
    await view.dialog().getByRole('button', { name: 'Update Event' }).click();
    await toastSaying(page, 'Event updated successfully');
    const { description } = await view.api.expect<EventPage>(200, 'GET', `/api/events/${event.id}`);
    expect(description).toBe(written);

    await page.goto(`/events/${event.id}`);
    await page.locator('strong', { hasText: 'coffee' }).waitFor();
    await page.getByRole('link', { name: 'the map' }).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'a walk' }).count()).toBe(1);
  });

  it('opens tables as Markdown, and lets authors replace the whole text', async () => {
    const description = '| Time | Talk |\n|---|---|\n| 18:00 | Types |';
    const event = await view.openEvent({ description, descriptionFormat: 'markdown' });
    await view.act(event.title, 'Edit');
    await view.dialog().getByText('This text has a table, which the editor can’t show.').waitFor();
    const plain = view.dialog().getByLabel('Description', { exact: true });
    expect(await plain.inputValue()).toBe(description);
    await plain.fill('No **table**');
    await view.dialog().getByRole('radio', { name: 'Write' }).first().check({ force: true });
    const text = await editor();
    await text.locator('strong', { hasText: 'table' }).waitFor();
    for (const words of ['We meet upstairs.', 'We meet outside.']) {
      await text.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(words);
      await text.getByText(words, { exact: true }).waitFor();
    }
  });
});
