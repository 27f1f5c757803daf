import { configure } from '@testing-library/dom';

// milliseconds for what a spec waits for: a slow machine is no failure
configure({ asyncUtilTimeout: 20_000 });

// jsdom has no layout: nothing to scroll, and nothing to observe, for which antd's menus and text areas ask
Element.prototype.scrollIntoView ??= () => undefined;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
