import { configure } from '@testing-library/dom';

// milliseconds for what a spec waits for: a slow machine is no failure
configure({ asyncUtilTimeout: 20_000 });

// jsdom has no layout, and nothing to observe of it; antd's menus and text areas ask for an observer
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
