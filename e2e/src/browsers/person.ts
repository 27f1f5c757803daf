import { until } from '@meetmark/testing';
import { sharedStack } from '../support/shared-stack.js';
import type { Tab } from './tab.js';

const PATIENCE_MS = 30_000;

const CRASHED = 'Something went wrong';

export const button = (name: string) => `//button[normalize-space()="${name}" or @aria-label="${name}"]`;
export const link = (name: string) => `//a[normalize-space()="${name}" or @aria-label="${name}"]`;
export const heading = (text: string) => `//*[self::h1 or self::h2 or self::h3][normalize-space()="${text}"]`;
export const field = (label: string) =>
  `//*[@id = //label[normalize-space()="${label}"]/@for] | //input[@aria-label="${label}"]`;
export const rowWith = (text: string) => `//tbody/tr[contains(., "${text}")]`;
export const DIALOG = '//*[@role="dialog"]';

export class Person {
  constructor(private readonly tab: Tab) {}

  open(path: string): Promise<void> {
    return this.tab.open(sharedStack().url + path);
  }

  see(path: string): Promise<void> {
    return this.until(`${path} on screen`, async () => (await this.tab.run(locateElement, path)) !== null);
  }

  notSee(path: string): Promise<void> {
    return this.until(`${path} gone`, async () => (await this.tab.run(locateElement, path)) === null);
  }

  read(text: string): Promise<void> {
    return this.until(`'${text}' on screen`, async () =>
      (await this.tab.run(() => document.body.innerText)).includes(text),
    );
  }

  isAt(address: string): Promise<void> {
    return this.until(`address ${address}`, async () => {
      const { pathname, search } = new URL(await this.tab.address());
      return address === pathname || address === pathname + search;
    });
  }

  async click(path: string): Promise<void> {
    let before: string | null = null;
    await this.until(`${path} to press`, async () => {
      const place = await this.tab.run(locateElement, path);
      const stands = place !== null && place.free && place.at === before;
      before = place?.at ?? null;
      if (stands) await this.tab.click(path);
      return stands;
    });
  }

  async fill(label: string, text: string): Promise<void> {
    const path = field(label);
    await this.see(path);
    const isText = await this.tab.run(setValue, path, text);
    if (isText) await this.tab.type(path, text);
    await this.until(`${label} to hold what was typed`, async () => {
      return (await this.tab.run(readValue, path)) === text;
    });
  }

  async enter(label: string, text: string): Promise<void> {
    await this.see(field(label));
    await this.tab.type(field(label), text);
  }

  private async until(what: string, look: () => Promise<boolean>): Promise<void> {
    let crash: string | null = null;
    await until(
      what,
      PATIENCE_MS,
      async () => {
        const text = await this.tab.run(() => document.body.innerText);
        if (text.includes(CRASHED)) crash = `is not to be had: the screen says\n${text}`;
        return crash === null && look();
      },
      () => crash,
    );
  }
}

// The following functions run in the page, without access to this file.

function locateElement(path: string): { at: string; free: boolean } | null {
  const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  const element = found.snapshotItem(0) as Element | null;
  if (element === null || element.getClientRects().length === 0) return null;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  // Waits until a menu is visible and still. A click that starts and ends on different items selects neither.
  const around: Element[] = [element];
  for (let next = element.parentElement; next !== null; next = next.parentElement) around.push(next);
  const settled =
    element.checkVisibility({ checkOpacity: true }) &&
    !around.some((each) => each.getAnimations().some(({ playState }) => playState === 'running'));
  return {
    at: [x, y, width, height].join(),
    free: settled && top !== null && element.contains(top),
  };
}

/**
 * Clears a text control and returns true, so that the caller types the value. Sets the value of other
 * controls, because their keys differ between browsers.
 */
function setValue(path: string, value: string): boolean {
  const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE);
  const control = found.singleNodeValue as HTMLInputElement;
  const isText = control.type !== 'date' && control.type !== 'time';
  const prototype: object = Object.getPrototypeOf(control) as object;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, isText ? '' : value);
  control.dispatchEvent(new Event('input', { bubbles: true }));
  return isText;
}

function readValue(path: string): string {
  const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE);
  return (found.singleNodeValue as HTMLInputElement).value;
}
