import { jest } from '@jest/globals';
import { configure } from '@testing-library/dom';

configure({ asyncUtilTimeout: 20_000 });
// Testing Library needs this global to advance fake timers
Object.assign(globalThis, { jest });

URL.createObjectURL ??= () => 'blob:here';
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

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  document.documentElement.lang = '';
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const complaints: string[] = [];
console.error = (...parts) => {
  const complaint = parts.map(String).join(' ');
  if (!complaint.includes('Not implemented: navigation')) complaints.push(complaint);
};
afterEach(() => {
  expect(complaints.splice(0)).toEqual([]);
});
