import { until } from '@meetmark/testing';
import type { Locator, Page } from 'playwright-core';

/** Presses of Tab: no screen has as many controls. */
const PATIENCE = 80;
/** Milliseconds in which what is fading, such as the shade behind a dialog, has to be gone. */
const MOTION = 2_000;

/** What is wrong with where the keyboard is. Runs in the page. */
function focusFault(): string | null {
  const { activeElement: at } = document;
  if (!(at instanceof HTMLElement) || at === document.body) return 'nothing has the focus';
  // read out, and no control: a heading, or the frame of a dialog
  if (at.tabIndex < 0) return null;
  // it is on the browser's own button in the field, which the browser marks
  if (!at.matches(':focus')) return null;
  const name = at.outerHTML.slice(0, 160);
  const hasRing = (element: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  };
  // what is drawn for a control stands around or after it
  const around = [at.parentElement, at.parentElement?.parentElement, at.closest('.ant-select')];
  const ring = [at, at.nextElementSibling, ...around].find((element) => element && hasRing(element));
  if (!ring) return `no ring around ${name}`;
  const { top, right, bottom, left } = ring.getBoundingClientRect();
  if (top < 0 || left < 0 || right > innerWidth || bottom > innerHeight) return `out of view: ${name}`;
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (seen && (ring.contains(seen) || seen.contains(ring))) return null;
  return `covered: ${name} by ${seen?.outerHTML.slice(0, 160)}`;
}

/** Somebody without a mouse: goes on from where they are, and can always see where that is. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** By Tab, or back by Shift and Tab, until it has the focus. */
  async to(target: Locator, { back = false } = {}): Promise<void> {
    await target.waitFor();
    const focused = target.and(this.page.locator(':focus'));
    let rounds = 0;
    for (let presses = 0; presses < PATIENCE; presses += 1) {
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
      // past the last control the browser's own begin
      const isAround = await this.page.evaluate('document.activeElement === document.body');
      if (isAround && (rounds += 1) < 2) continue;
      await this.sees();
      if ((await focused.count()) > 0) return;
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  }

  /** By Tab to a control, and Enter. */
  async press(target: Locator, { key = 'Enter', back = false } = {}): Promise<void> {
    await this.to(target, { back });
    await this.page.keyboard.press(key);
  }

  /** In place of what the field holds. */
  async type(field: Locator, text: string): Promise<void> {
    await this.to(field);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** The focus is on this, and can be seen there. */
  async isAt(target: Locator): Promise<void> {
    await target.and(this.page.locator(':focus')).waitFor();
    await this.sees();
  }

  async sees(): Promise<void> {
    await until('a focus that can be seen', MOTION, async () => {
      const fault = await this.page.evaluate(focusFault);
      if (fault !== null) throw new Error(fault);
      return true;
    });
  }
}
