import { until } from '@meetmark/testing';
import { sharedStack } from '../support/shared-stack.js';
import type { Tab } from './tab.js';

const PATIENCE_MS = 30_000;

/** What the screens say when something in them fails. */
const CRASHED = 'Something went wrong';

export const button = (name: string) => `//button[normalize-space()="${name}" or @aria-label="${name}"]`;
export const link = (name: string) => `//a[normalize-space()="${name}" or @aria-label="${name}"]`;
export const heading = (text: string) => `//*[self::h1 or self::h2 or self::h3][normalize-space()="${text}"]`;
/** A control by its label, or a search box by its name. */
export const field = (label: string) =>
  `//*[@id = //label[normalize-space()="${label}"]/@for] | //input[@aria-label="${label}"]`;
export const rowWith = (text: string) => `//tbody/tr[contains(., "${text}")]`;
export const DIALOG = '//*[@role="dialog"]';

/** Somebody in front of a browser, who waits for what they look for. A screen that fails ends the story. */
export class Person {
  constructor(private readonly tab: Tab) {}

  open(path: string): Promise<void> {
    return this.tab.open(sharedStack().url + path);
  }

  /** Waits for an element that can be seen. */
  see(path: string): Promise<void> {
    return this.until(`${path} on screen`, async () => (await this.tab.run(placeOf, path)) !== null);
  }

  notSee(path: string): Promise<void> {
    return this.until(`${path} gone`, async () => (await this.tab.run(placeOf, path)) === null);
  }

  read(text: string): Promise<void> {
    return this.until(`'${text}' on screen`, async () =>
      (await this.tab.run(() => document.body.innerText)).includes(text),
    );
  }

  /** Waits for the path, and the query if it is given. */
  isAt(address: string): Promise<void> {
    return this.until(`address ${address}`, async () => {
      const { pathname, search } = new URL(await this.tab.address());
      return address === pathname || address === pathname + search;
    });
  }

  /** Presses the mouse on an element once that stands still with nothing above it. */
  async click(path: string): Promise<void> {
    let before: string | null = null;
    await this.until(`${path} to press`, async () => {
      const place = await this.tab.run(placeOf, path);
      const stands = place !== null && place.free && place.at === before;
      before = place?.at ?? null;
      if (stands) await this.tab.click(path);
      return stands;
    });
  }

  /** Replaces what a control holds. */
  async fill(label: string, text: string): Promise<void> {
    const path = field(label);
    await this.see(path);
    const isText = await this.tab.run(setValue, path, text);
    if (isText) await this.tab.type(path, text);
    await this.until(`${label} to hold what was typed`, async () => {
      return (await this.tab.run(valueOf, path)) === text;
    });
  }

  /** Types what a form takes at once: its control may be gone then. */
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

// These run in the page, where nothing of this file is.

function placeOf(path: string): { at: string; free: boolean } | null {
  const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  const element = found.snapshotItem(0) as Element | null;
  if (element === null || element.getClientRects().length === 0) return null;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  // a menu that opens stands at its place unseen before it moves there, and a press that meets two of its items chooses none
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

/** Empties a text control and answers true; gives any other, such as a date, its value: its keys differ from browser to browser. */
function setValue(path: string, value: string): boolean {
  const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE);
  const control = found.singleNodeValue as HTMLInputElement;
  const isText = control.type !== 'date' && control.type !== 'time';
  const prototype: object = Object.getPrototypeOf(control) as object;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, isText ? '' : value);
  control.dispatchEvent(new Event('input', { bubbles: true }));
  return isText;
}

function valueOf(path: string): string {
  const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE);
  return (found.singleNodeValue as HTMLInputElement).value;
}
