import { until } from '@meetmark/testing';
import type { Locator, Page } from 'playwright-core';

const PATIENCE = 80;
const MOTION = 2_000;

function focusFault(): string | null {
  const { activeElement: at } = document;
  if (!(at instanceof HTMLElement) || at === document.body) return 'nothing has the focus';
  // Headings and dialogs get the focus so that screen readers announce them, but they aren't controls.
  if (at.tabIndex < 0) return null;
  // The browser's own button inside a field has the focus, not the field itself.
  if (!at.matches(':focus')) return null;
  const name = at.outerHTML.slice(0, 160);
  const hasRing = (element: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  };
  // The focus ring may be on an element around or after the control.
  const around = [at.parentElement, at.parentElement?.parentElement, at.closest('.ant-select')];
  const ring = [at, at.nextElementSibling, ...around].find((element) => element && hasRing(element));
  if (!ring) return `no ring around ${name}`;
  const { top, right, bottom, left } = ring.getBoundingClientRect();
  // Allows one pixel, because browsers scroll by whole pixels.
  const isInView = top > -1 && left > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
  if (!isInView) return `out of view: ${name}`;
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (seen && (ring.contains(seen) || seen.contains(ring))) return null;
  return `covered: ${name} by ${seen?.outerHTML.slice(0, 160)}`;
}

export class Keyboard {
  constructor(private readonly page: Page) {}

  async to(target: Locator, { back = false } = {}): Promise<void> {
    await target.waitFor();
    const focused = target.and(this.page.locator(':focus'));
    let rounds = 0;
    for (let presses = 0; presses < PATIENCE; presses += 1) {
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
      // After the last control, Tab moves to the browser's own controls, and then to the first control again.
      const isAround = await this.page.evaluate('document.activeElement === document.body');
      if (isAround && (rounds += 1) < 2) continue;
      await this.sees();
      if ((await focused.count()) > 0) return;
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  }

  async press(target: Locator, { key = 'Enter', back = false } = {}): Promise<void> {
    await this.to(target, { back });
    await this.page.keyboard.press(key);
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.to(field);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

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
