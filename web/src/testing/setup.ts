import { jest } from '@jest/globals';
import { configure } from '@testing-library/dom';

// milliseconds for what a spec waits for: a slow machine is no failure
configure({ asyncUtilTimeout: 20_000 });
// Testing Library looks for it where a module of CommonJS has it, to move the clock of a spec that holds it
Object.assign(globalThis, { jest });

// jsdom has no addresses of files; one may be given back after its spec has ended
URL.revokeObjectURL ??= () => undefined;

// jsdom has no layout: nothing to scroll, nothing that a style hides, no width of which a media query holds, and nothing to observe, for
// which antd's menus and text areas ask
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

// what React finds wrong with a spec fails it, but for going to another page, which jsdom cannot; a spec that expects an error puts a
// function of its own in this one's place
const complaints: string[] = [];
console.error = (...parts) => {
  const complaint = parts.map(String).join(' ');
  if (!complaint.includes('Not implemented: navigation')) complaints.push(complaint);
};
afterEach(() => {
  expect(complaints.splice(0)).toEqual([]);
});
