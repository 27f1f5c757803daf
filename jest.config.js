import { readFileSync } from 'node:fs';

const swcrc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
const withoutFileFilters = { ...swcrc, $schema: undefined, exclude: undefined, swcrc: false };
export const project = (displayName, folder, extra = {}) => ({
  displayName,
  rootDir: new URL(folder, import.meta.url).pathname,
  testMatch: ['<rootDir>/src/**/*.spec.ts?(x)'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx?$': ['@swc/jest', withoutFileFilters] },
  resolver: new URL('scripts/jest/resolver.cjs', import.meta.url).pathname,
  testEnvironment: new URL('scripts/jest/node-environment.cjs', import.meta.url).pathname,
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  globalTeardown: new URL('scripts/jest/global-teardown.mjs', import.meta.url).pathname,
  ...extra,
});

const BROKER = new URL('scripts/jest/global-setup.mjs', import.meta.url).pathname;

const REGISTER_TYPESCRIPT = new URL('scripts/jest/register-typescript.mjs', import.meta.url).pathname;
const SET_UP_WORKER = new URL('scripts/jest/set-up-worker.mjs', import.meta.url).pathname;

/**
 * Specs of Node packages. They share a process with other specs and don't load modules again for each file.
 */
const inNode = (displayName, extra) => ({
  displayName,
  rootDir: new URL('.', import.meta.url).pathname,
  runner: new URL('scripts/jest/runner.mjs', import.meta.url).pathname,
  setupFiles: [REGISTER_TYPESCRIPT],
  setupFilesAfterEnv: [SET_UP_WORKER],
  // The broker starts PostgreSQL and Redis only when a test needs them.
  globalSetup: BROKER,
  globalTeardown: new URL('scripts/jest/global-teardown.mjs', import.meta.url).pathname,
  modulePathIgnorePatterns: ['/dist/'],
  transform: {},
  ...extra,
});

/**
 * Specs that build or start a whole installation, or let any two calls run together. `npm test -- --quick`
 * skips them.
 */
const SLOW =
  '/scripts/src/((installation|seed|stack)/.*|start/(build|start)|database/lock-order)\\.spec\\.ts$';

/**
 * Specs that read class-validator's registry. Jest's own runner loads modules again for each file, so the
 * registry has no classes of other specs.
 */
const RULES = '/(events/src/database/validators|scripts/src/repository/texts)\\.spec\\.ts$';

/** Specs that count all data of the community or change its settings. They must run alone. */
const ALONE = '/e2e/src/(admin/dashboard|member/consent)\\.spec\\.ts$';

/** Specs that start their own installation. */
const INSTALLATIONS = '/e2e/src/admin/(first-run|other-communities)\\.spec\\.ts$';

const inBrowsers = (displayName, folders, extra) =>
  project(displayName, 'e2e', {
    testMatch: folders.map((folder) => `<rootDir>/src/${folder}/**/*.spec.ts`),
    ...extra,
  });
const inBrowsersOnly = (displayName, testRegex, extra) =>
  project(displayName, 'e2e', { testMatch: undefined, testRegex, ...extra });

const setUpBy = (file) => ({
  globalSetup: new URL(`e2e/${file}`, import.meta.url).pathname,
  globalTeardown: new URL('e2e/global-teardown.mjs', import.meta.url).pathname,
});
const SHARED_STACK = setUpBy('global-setup.mjs');

export default {
  // Milliseconds. Long, because tests wait for servers and browsers on slow machines. Jest ignores this
  // option inside projects.
  testTimeout: 300_000,
  // Milliseconds until Jest reports connections and timers that a test left open. Such a report fails the
  // test run. Jest's defaults are too short for a busy machine.
  workerGracefulExitTimeout: 10_000,
  openHandlesTimeout: 10_000,
  // A worker's memory grows by about 10 MB per test file. Above this limit, Jest replaces the worker before
  // its next file. A larger worker would pause for a second to collect garbage, and services would time out.
  workerIdleMemoryLimit: '900MB',
  projects: [
    inNode('server', {
      testMatch: ['gateway', 'libs/*', 'services/*', 'scripts'].map(
        (folder) => `<rootDir>/${folder}/src/**/*.spec.ts`,
      ),
      testPathIgnorePatterns: ['/node_modules/', SLOW, RULES],
    }),
    project('rules', '.', { testMatch: undefined, testRegex: RULES, globalSetup: BROKER }),
    inNode('slow', { testRegex: SLOW }),
    inNode('web', {
      testMatch: ['<rootDir>/web/src/**/*.spec.ts?(x)'],
      setupFiles: [
        REGISTER_TYPESCRIPT,
        new URL('scripts/jest/browser-globals.mjs', import.meta.url).pathname,
      ],
      setupFilesAfterEnv: [SET_UP_WORKER, new URL('web/src/testing/setup.ts', import.meta.url).pathname],
    }),
    inBrowsers('e2e', ['admin', 'member'], {
      ...SHARED_STACK,
      testPathIgnorePatterns: ['/node_modules/', ALONE, INSTALLATIONS],
    }),
    inBrowsersOnly('alone', ALONE, SHARED_STACK),
    inBrowsers('pictures', ['screens'], SHARED_STACK),
    inBrowsers('specification', ['specification'], SHARED_STACK),
    inBrowsersOnly('installations', INSTALLATIONS, setUpBy('installations-setup.mjs')),
    // Each of these specs starts and kills its own servers.
    inBrowsers('faults', ['faults', 'scale'], { globalSetup: BROKER }),
  ],
};
