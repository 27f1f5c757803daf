const { TestEnvironment } = require('jest-environment-jsdom');
const { closing } = require('./open-handles.cjs');

/** Browser features that jsdom lacks. */
const OF_BROWSERS = ['TextEncoder', 'TextDecoder', 'Response', 'Request', 'structuredClone', 'crypto'];

class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of OF_BROWSERS)
      Object.defineProperty(this.global, name, {
        value: globalThis[name],
        configurable: true,
        writable: true,
      });
    // jsdom has no pseudo-elements and logs an error for their style.
    const { getComputedStyle } = this.global;
    this.global.getComputedStyle = (element) => getComputedStyle(element);
    // jsdom has no layout and no scrollIntoView.
    this.global.Element.prototype.scrollIntoView = () => undefined;
    // Node's MessageChannel would keep the process alive. This fake sends only from port2 to port1, which is
    // all that antd's forms need.
    this.global.MessageChannel = class {
      port1 = {};
      port2 = { postMessage: (data) => setTimeout(() => this.port1.onmessage?.({ data })) };
    };
    // No media query matches, so components render in light mode, for wide screens and with animations.
    this.global.matchMedia = (media) =>
      Object.assign(new this.global.EventTarget(), { media, matches: false });
  }
}

module.exports = closing(BrowserEnvironment);
