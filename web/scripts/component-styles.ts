import type { Plugin } from 'vite';

const MODULE = 'virtual:component-styles.css';
const RESOLVED = '\0component-styles.css';

/**
 * The styles of those components of antd that visitors' pages show, for the style sheet: made in the browser they keep a phone busy while the
 * screen is drawn. They hold no colour, only names of variables, so they are the same for every community. antd finds in the sheet which ones
 * are there, and makes the others itself; `first-paint.spec.ts` asserts that the first pages make none.
 */
export function componentStyles(): Plugin {
  let isBuild = false;
  return {
    name: 'component-styles',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    resolveId: (source) => (source === MODULE ? RESOLVED : null),
    load: (id) => (id === RESOLVED ? (isBuild ? written() : '') : null),
  };
}

async function written(): Promise<string> {
  const [{ createCache, extractStyle, StyleProvider }, { Button, Checkbox, ConfigProvider }, react, dom] =
    await Promise.all([
      import('@ant-design/cssinjs'),
      import('antd'),
      import('react'),
      import('react-dom/server'),
    ]);
  const cache = createCache();
  const { createElement } = react;
  dom.renderToStaticMarkup(
    createElement(
      StyleProvider,
      { cache },
      createElement(ConfigProvider, null, createElement(Button), createElement(Checkbox)),
    ),
  );
  return extractStyle(cache, { plain: true, types: 'style' });
}
