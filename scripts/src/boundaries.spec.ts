import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { linted } from './linted.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = JSON.parse(readFileSync(`${root}/scripts/lint/rooms.json`, 'utf8')) as Record<string, string>;
/** Folders of services that the order of the rooms does not concern. */
const NO_ROOMS = ['testing', 'migrations', 'database'];

const REFUSED: [what: string, path: string, code: string][] = [
  ['a service imports another', 'services/auth/src/x.ts', "export { x } from '@meetmark/events/x';"],
  [
    'a service reaches into another by a path',
    'services/auth/src/x.ts',
    "export { x } from '../../events/src/x.js';",
  ],
  ['a service imports the gateway', 'services/auth/src/x.ts', "export { x } from '@meetmark/gateway/x';"],
  ['the gateway imports a service', 'gateway/src/x.ts', "export { x } from '@meetmark/auth/x';"],
  ['a library imports a service', 'libs/testing/src/x.ts', "export { x } from '@meetmark/auth/x';"],
  ['contracts imports the platform', 'libs/contracts/src/x.ts', "export { x } from '@meetmark/platform';"],
  [
    'the platform learns of a feature',
    'libs/platform/src/x.ts',
    "export { RegisterForEvent } from '@meetmark/contracts';",
  ],
  ['test helpers are shipped', 'gateway/src/x.ts', "export { testDatabase } from '@meetmark/testing';"],
  [
    'the browser loads server code',
    'web/src/x.ts',
    "export { RegisterForEvent } from '@meetmark/contracts';",
  ],
  ['a screen has a drawer of antd', 'web/src/features/x/x.tsx', "export { Drawer } from 'antd';"],
  ['a screen has a dialog of antd', 'web/src/app/x.tsx', "export { Modal } from 'antd';"],
  ['a lower room imports a higher one', 'services/auth/src/users/x.ts', "export { x } from '../codes/x.js';"],
  [
    'a lower room of the platform imports a higher one',
    'libs/platform/src/redis/x.ts',
    "export { x } from '../rpc/x.js';",
  ],
  [
    'the inner room of a feature imports the outer one',
    'web/src/features/events/shared/x.ts',
    "export { x } from '../event-screen';",
  ],
  [
    'an inner room imports its neighbour above',
    'web/src/features/events/shared/x.ts',
    "export { x } from '../event-form/x';",
  ],
  [
    'a feature imports the outer room of one above',
    'web/src/features/topics/x.ts',
    "export { x } from '../events/event-screen';",
  ],
  ['a shared web piece knows a feature', 'web/src/ui/x.ts', "export { x } from '../features/events/x';"],
];

const ALLOWED: [what: string, path: string, code: string][] = [
  [
    'a service uses contracts and platform',
    'services/auth/src/x.ts',
    "export { x } from '@meetmark/platform';",
  ],
  [
    'a spec uses the test helpers',
    'services/auth/src/x.spec.ts',
    "export { testDatabase } from '@meetmark/testing';",
  ],
  ['a room imports a lower one', 'services/auth/src/codes/x.ts', "export { x } from '../users/x.js';"],
  [
    'a lower room names a type of a higher one',
    'services/auth/src/users/x.ts',
    "export type { x } from '../codes/x.js';",
  ],
  [
    'a feature imports the inner room below it',
    'web/src/features/topics/x.ts',
    "export { x } from '../events/shared/x';",
  ],
  [
    'an inner room imports its neighbour below',
    'web/src/features/events/event-form/x.ts',
    "export { x } from '../shared/x';",
  ],
  ['the drawer that all use', 'web/src/ui/sheet.tsx', "export { Drawer } from 'antd';"],
  ['the browser uses types', 'web/src/x.ts', "export type { User } from '@meetmark/contracts';"],
  ['the browser uses limits', 'web/src/x.ts', "export { LIMITS } from '@meetmark/contracts/limits';"],
];

describe('boundaries of packages and of the rooms in them', () => {
  const ENVIRONMENT = 'export const x = process.env.X;';
  const ADDRESS = "export const x = URL.canParse('y');";
  const rulesBrokenBy = linted([
    ...[...REFUSED, ...ALLOWED].map(([, path, code]) => [path, code] as const),
    ['gateway/src/x.ts', ADDRESS],
    ['services/auth/src/x.ts', ENVIRONMENT],
    ['libs/platform/src/config/x.ts', ENVIRONMENT],
  ]);

  it.each(REFUSED)('are kept: %s', (_what, file, code) => {
    expect(rulesBrokenBy(file, code)).toEqual(['local(imports)']);
  });

  it.each(Object.entries(ROOMS))('know every room of %s', (folder, rooms) => {
    const known = rooms.split(' ');
    const folders = readdirSync(`${root}/${folder}`, { withFileTypes: true }).filter((each) =>
      each.isDirectory(),
    );
    const names = folders
      .map(({ name }) => name)
      .filter((name) => known.includes(name) || !NO_ROOMS.includes(name));
    expect(names.sort()).toEqual(known.filter((room) => !room.includes('/')).sort());
  });

  it('keep a server from URL.canParse', () => {
    expect(rulesBrokenBy('gateway/src/x.ts', ADDRESS)).toEqual(['local(parsed-address)']);
  });

  it.each(ALLOWED)('allow what is meant: %s', (_what, file, code) => {
    expect(rulesBrokenBy(file, code)).toEqual([]);
  });

  it('let only the configuration read the environment', () => {
    expect(rulesBrokenBy('services/auth/src/x.ts', ENVIRONMENT)).toEqual([
      'eslint(no-restricted-properties)',
    ]);
    expect(rulesBrokenBy('libs/platform/src/config/x.ts', ENVIRONMENT)).toEqual([]);
  });
});
