const { TestEnvironment } = require('jest-environment-jsdom');
const { closing } = require('./open-handles.cjs');

/** What every browser has and jsdom lacks. */
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
    // jsdom has no pseudo-elements and complains when it is asked for their style.
    const { getComputedStyle } = this.global;
    this.global.getComputedStyle = (element) => getComputedStyle(element);
    // jsdom lays nothing out, so there is nowhere to scroll to.
    this.global.Element.prototype.scrollIntoView = () => undefined;
    // Node's own would keep the process alive; antd's form sends itself one message at a time.
    this.global.MessageChannel = class {
      port1 = {};
      port2 = { postMessage: (data) => setTimeout(() => this.port1.onmessage?.({ data })) };
    };
    // No media query matches: light, wide enough, motion allowed.
    this.global.matchMedia = (media) =>
      Object.assign(new this.global.EventTarget(), { media, matches: false });
  }
}

module.exports = closing(BrowserEnvironment);
