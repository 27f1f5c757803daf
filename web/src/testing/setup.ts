import { jest } from '@jest/globals';
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 20_000 });
// Testing Library needs this global to advance fake timers
Object.assign(globalThis, { jest });

URL.revokeObjectURL ??= () => undefined;

// adds browser functions that antd uses and jsdom lacks
Element.prototype.scrollIntoView ??= () => undefined;
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
Element.prototype.checkVisibility ??= () => true;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

const complaints: string[] = [];
console.error = (...parts) => {
  const complaint = parts.map(String).join(' ');
  if (!complaint.includes('Not implemented: navigation')) complaints.push(complaint);
};
afterEach(() => {
  expect(complaints.splice(0)).toEqual([]);
});

/*
 * jsdom matches every rule of its style sheet again after every change. Queries by role and clicks read only
 * three properties. These depend on the tag, a few attributes and inline styles, because specs load no other
 * style sheets.
 */
const { getComputedStyle: computeStyle } = window;
const displays = new Map<string, string>();
function getDisplay(element: Element): string {
  const { style, tagName } = element as HTMLElement;
  if (style.display) return style.display;
  const kind = [tagName, ...['hidden', 'open', 'type'].map((name) => element.getAttribute(name))].join(' ');
  const known = displays.get(kind);
  if (known !== undefined) return known;
  const { display } = computeStyle(element);
  displays.set(kind, display);
  return display;
}
function getInherited(element: Element, property: 'visibility' | 'pointerEvents'): string | undefined {
  for (let each: Element | null = element; each; each = each.parentElement) {
    const value = (each as HTMLElement).style[property];
    if (value) return value;
  }
  return undefined;
}
window.getComputedStyle = (element) => {
  const read = (name: string | symbol): unknown => {
    if (name === 'display') return getDisplay(element);
    if (name === 'visibility') return getInherited(element, name) ?? 'visible';
    if (name === 'pointerEvents') return getInherited(element, name) ?? 'auto';
    if (name === 'getPropertyValue')
      return (property: string) =>
        property === 'display' || property === 'visibility'
          ? read(property)
          : computeStyle(element).getPropertyValue(property);
    return Reflect.get(computeStyle(element), name);
  };
  return new Proxy({} as CSSStyleDeclaration, { get: (_, name) => read(name) });
};
