import { project } from '../jest.config.js';

/** For npm run test:browsers only: the browsers of the machine are no part of npm test. */
export default {
  ...project('browsers', 'e2e', {
    testMatch: ['<rootDir>/src/browsers/stories.ts'],
    globalSetup: new URL('global-setup.mjs', import.meta.url).pathname,
    globalTeardown: new URL('global-teardown.mjs', import.meta.url).pathname,
  }),
  testTimeout: 300_000,
};
