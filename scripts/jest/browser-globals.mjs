// Gives the specs of the web application a browser's globals. All specs of a worker share one window. As
// `window` is not Node's global object, specs that replace a function replace it where the code calls it:
// in `window`, in `globalThis`, or in an object that both share.
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!DOCTYPE html>', { url: 'http://localhost/', pretendToBeVisual: true });
// A closed page has no timers. Node would wait for them, for example for those of cached queries.
process.once('disconnect', () => setImmediate(() => process.exit()));

/** Node has these globals, too, but jsdom accepts only its own. */
const REPLACED = [
  ...['AbortController', 'AbortSignal', 'Blob', 'CustomEvent', 'Event', 'EventTarget', 'File', 'FormData'],
];

const added = Object.getOwnPropertyNames(window).filter(
  (name) => !name.startsWith('_') && !(name in globalThis),
);
for (const name of [...added, ...REPLACED]) define(name, window[name]);
for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'])
  define(name, window[name].bind(window));

// jsdom has no pseudo-elements and logs an error for their style.
const { getComputedStyle } = window;
window.getComputedStyle = (element) => getComputedStyle(element);
define('getComputedStyle', window.getComputedStyle);
// jsdom has no layout.
Object.assign(window.Element.prototype, { scrollIntoView: () => undefined, checkVisibility: () => true });
define(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
// Node's functions accept only Node's Blobs.
Object.assign(URL, { createObjectURL: () => 'blob:here', revokeObjectURL: () => undefined });
// Node's MessageChannel would keep the process alive. This fake sends only from port2 to port1, which is
// all that antd's forms need.
define(
  'MessageChannel',
  class {
    port1 = {};
    port2 = { postMessage: (data) => setTimeout(() => this.port1.onmessage?.({ data })) };
  },
);
// No media query matches, so components render in light mode, for wide screens and with animations.
window.matchMedia = (media) => Object.assign(new window.EventTarget(), { media, matches: false });
define('matchMedia', (media) => window.matchMedia(media));

function define(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
