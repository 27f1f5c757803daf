import { LIMITS } from '@meetmark/contracts';
import type { Page } from 'playwright-core';

/** Maximum length of text that people enter, by API field. */
const LONGEST: Partial<Record<string, number>> = {
  ...{ firstName: LIMITS.name, lastName: LIMITS.name, name: LIMITS.name, label: LIMITS.questionLabel },
  ...{ actorName: LIMITS.name, senderName: LIMITS.name, subjectName: LIMITS.name, madeBy: LIMITS.name },
  ...{ email: LIMITS.email, recipient: LIMITS.email, account: LIMITS.email, supportEmail: LIMITS.email },
  ...{ title: LIMITS.title, location: LIMITS.location, address: LIMITS.location },
  ...{ headline: LIMITS.headline, tagline: LIMITS.tagline, paymentNote: LIMITS.paymentNote },
  ...{ subject: LIMITS.messageSubject, cancelReason: LIMITS.note, note: LIMITS.note, words: LIMITS.note },
  ...{ role: LIMITS.agendaTitle, bio: LIMITS.bio, alt: LIMITS.alt, options: LIMITS.optionLabel },
  ...{ description: LIMITS.description, answers: LIMITS.answer },
};

/** Matches identifiers such as 'mail'. Responses have them in `name`, although nobody typed them. */
const IDENTIFIER = /^[a-z][a-zA-Z]*$/;

interface TypedText {
  text: string;
  longest: number;
  /**
   * Whether to replace the text inside sentences too. Short texts could be words of the interface, so only
   * people's names are replaced there.
   */
  isInSentences: boolean;
}

export class TypedTexts {
  private readonly typed = new Map<string, TypedText>();

  constructor(page: Page) {
    page.on('response', (response) => {
      if (!response.url().includes('/api/')) return;
      // A response may not be JSON, or may end early because its page was closed.
      response.json().then(
        (answer) => this.add(answer),
        () => undefined,
      );
    });
  }

  clear(): void {
    this.typed.clear();
  }

  add(answer: unknown, name = ''): void {
    const longest = LONGEST[name];
    if (typeof answer === 'string' && answer !== '' && longest !== undefined && !IDENTIFIER.test(answer)) {
      const isInSentences = answer.length > 8 || name === 'firstName' || name === 'lastName';
      this.typed.set(answer, { text: answer, longest, isInSentences });
    }
    if (typeof answer !== 'object' || answer === null) return;
    for (const [field, value] of Object.entries(answer)) this.add(value, field in LONGEST ? field : name);
  }

  toArray(): TypedText[] {
    return [...this.typed.values()].toSorted((one, other) => other.text.length - one.text.length);
  }
}

declare global {
  interface Window {
    /** Texts that `fillWithLongest` replaced, by node. */
    replaced?: Map<Node, string>;
  }
}

/** Replaces each text that someone typed by one of maximum length without spaces. Runs in the page. */
export function fillWithLongest(texts: TypedText[]): void {
  // Browsers delay the layout of cards outside the window. Without this, cards would keep the layout of the
  // previous width.
  for (const card of document.querySelectorAll<HTMLElement>('li')) card.style.contentVisibility = 'visible';
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const { parentElement, nodeValue } = node;
    if (!nodeValue || parentElement?.closest('script, style, svg, textarea, [role=radiogroup]')) continue;
    let filled = nodeValue;
    for (const { text, longest, isInSentences } of texts) {
      const isTyped = isInSentences || nodeValue.trim() === text || parentElement?.closest('bdi, [dir=auto]');
      if (isTyped && filled.includes(text)) filled = filled.replaceAll(text, 'm'.repeat(longest));
    }
    if (filled === nodeValue) continue;
    (window.replaced ??= new Map()).set(node, nodeValue);
    node.nodeValue = filled;
  }
}

/** Undoes `fillWithLongest`. Runs in the page. */
export function restoreTexts(): void {
  for (const [node, text] of window.replaced ?? []) node.nodeValue = text;
  delete window.replaced;
}

export function overflowingTexts(): string[] {
  const describe = (element: Element) =>
    (element.cloneNode(false) as Element).outerHTML.replace(/<\/.*$/, '').slice(0, 160);
  const faults = new Set<string>();
  const range = document.createRange();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const { parentElement, nodeValue } = node;
    if (!nodeValue?.includes('m'.repeat(40)) || !parentElement?.checkVisibility({ visibilityProperty: true }))
      continue;
    range.selectNodeContents(node);
    let { left, right } = range.getBoundingClientRect();
    for (let around: Element | null = parentElement; around; around = around.parentElement) {
      const { display, position, overflowX, textOverflow, clipPath } = getComputedStyle(around);
      if (clipPath !== 'none') break;
      if (display === 'inline' || display === 'contents') continue;
      const box = around.getBoundingClientRect();
      const isCut = textOverflow === 'ellipsis' && overflowX !== 'visible';
      if (!isCut && (left < box.left - 1 || right > box.right + 1)) {
        faults.add(`a long text in ${describe(parentElement)} is wider than ${describe(around)}`);
        break;
      }
      ({ left, right } = box);
      // A menu may be wider than the element around its button, but not wider than the page.
      if (position === 'absolute' || position === 'fixed') around = document.body;
    }
  }
  const sideways = document.documentElement.scrollWidth - window.innerWidth;
  if (sideways > 0) {
    const [widest] = [...document.body.querySelectorAll('*')].toSorted(
      (one, other) => other.getBoundingClientRect().right - one.getBoundingClientRect().right,
    );
    faults.add(`long texts make the page scroll ${sideways} px sideways, as far as ${describe(widest!)}`);
  }
  return [...faults];
}
