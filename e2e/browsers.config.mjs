import { project } from '../jest.config.js';

/** Project of `npm run test:browsers`. It is separate, because `npm test` doesn't need installed browsers. */
export default {
  ...project('browsers', 'e2e', {
    testMatch: ['<rootDir>/src/browsers/stories.ts'],
    globalSetup: new URL('global-setup.mjs', import.meta.url).pathname,
    globalTeardown: new URL('global-teardown.mjs', import.meta.url).pathname,
  }),
  testTimeout: 300_000,
};
