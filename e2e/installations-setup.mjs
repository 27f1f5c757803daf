import { register } from 'node:module';

register('../scripts/jest/typescript-hooks.mjs', import.meta.url);
const { shareBrowser } = await import('./share-browser.mjs');

/** Starts a browser for stories that start Meetmark themselves. */
export default shareBrowser;
