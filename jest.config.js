import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { libraries } from './scripts/jest/libraries.mjs';

const swcrc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));
const withoutFileFilters = { ...swcrc, $schema: undefined, exclude: undefined, swcrc: false };
const withReact = {
  ...withoutFileFilters,
  jsc: {
    ...swcrc.jsc,
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
    experimental: { keepImportAttributes: true },
  },
};

// for scripts/jest/resolver.cjs, also in Jest's workers
process.env.MEETMARK_LIBRARIES = JSON.stringify(libraries(fileURLToPath(new URL('.', import.meta.url))));

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

// The broker behind these starts PostgreSQL and Redis only when a test asks.
const withServers = (displayName, folder, extra) =>
  project(displayName, folder, { globalSetup: BROKER, ...extra });

/** Those specs of scripts that build, start, back up, restore or upgrade a whole Meetmark: a target of their own (scripts/package.json). */
const REHEARSALS = '/scripts/src/((backup|seed|stack|upgrade)/.*|start/(build|start))\\.spec\\.ts$';

/**
 * Those stories that count the whole community, change its settings, or ask so much of it that others would be refused: nothing else is
 * asked of it meanwhile.
 */
const ALONE = '/e2e/src/(admin/dashboard|api/(capacity|fuzz/fuzz)|member/registration)\\.spec\\.ts$';

/** Those stories that start a Meetmark of their own. */
const INSTALLATIONS = '/e2e/src/admin/(first-run|other-communities|upgrade)\\.spec\\.ts$';

const inBrowsers = (displayName, folders, extra) =>
  project(displayName, 'e2e', {
    testMatch: folders.map((folder) => `<rootDir>/src/${folder}/**/*.spec.ts`),
    ...extra,
  });
const inBrowsersOnly = (displayName, testRegex, extra) =>
  project(displayName, 'e2e', { testMatch: undefined, testRegex, ...extra });

const SHARED_STACK = {
  globalSetup: new URL('e2e/global-setup.mjs', import.meta.url).pathname,
  globalTeardown: new URL('e2e/global-teardown.mjs', import.meta.url).pathname,
};

export default {
  // For all projects: Jest reads it nowhere else. A test waits for servers, a story for a browser, and slow machines are no failure.
  testTimeout: 120_000,
  // Milliseconds after which something must have been left behind, so that `npm test` fails: a busy machine ends no process within Jest's 500.
  workerGracefulExitTimeout: 10_000,
  openHandlesTimeout: 10_000,
  // Jest keeps some 10 MB of each file it ran in a worker: beyond this, collecting them takes longer than the tests, and a pause of a second
  // is a service that does not answer. A worker that has more is replaced before its next file.
  workerIdleMemoryLimit: '900MB',
  projects: [
    project('contracts', 'libs/contracts'),
    withServers('platform', 'libs/platform'),
    withServers('testing', 'libs/testing'),
    withServers('gateway', 'gateway'),
    withServers('auth', 'services/auth'),
    withServers('events', 'services/events'),
    withServers('admin', 'services/admin'),
    withServers('worker', 'services/worker'),
    withServers('scripts', 'scripts', { testPathIgnorePatterns: ['/node_modules/', REHEARSALS] }),
    withServers('rehearsals', 'scripts', { testMatch: undefined, testRegex: REHEARSALS }),
    project('web', 'web', {
      testEnvironment: new URL('scripts/jest/browser-environment.cjs', import.meta.url).pathname,
      testEnvironmentOptions: { customExportConditions: ['source', 'browser'] },
      transform: { '\\.tsx?$': ['@swc/jest', withReact] },
      setupFilesAfterEnv: [new URL('web/src/testing/setup.ts', import.meta.url).pathname],
      moduleNameMapper: {
        '\\.css$': new URL('scripts/jest/empty-stylesheet.cjs', import.meta.url).pathname,
      },
    }),
    inBrowsers('e2e', ['admin', 'api', 'member'], {
      ...SHARED_STACK,
      testPathIgnorePatterns: ['/node_modules/', ALONE, INSTALLATIONS],
    }),
    inBrowsersOnly('alone', ALONE, SHARED_STACK),
    inBrowsers('pictures', ['screens'], SHARED_STACK),
    inBrowsers('specification', ['specification'], SHARED_STACK),
    inBrowsersOnly('installations', INSTALLATIONS, { globalSetup: BROKER }),
    // each starts, and kills, what it needs; the broker starts nothing here
    inBrowsers('faults', ['faults', 'scale'], { globalSetup: BROKER }),
  ],
};
