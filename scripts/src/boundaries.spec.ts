import { ESLint } from 'eslint';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript-eslint';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('package boundaries', () => {
  // texts that are in no file have no types
  const eslint = new ESLint({ cwd: root, overrideConfig: typescript.configs.disableTypeChecked });
  const rulesBrokenBy = async (filePath: string, code: string) => {
    const [result] = await eslint.lintText(code, { filePath: `${root}/${filePath}` });
    return result?.messages.map((message) => message.ruleId);
  };
  const importRule = '@typescript-eslint/no-restricted-imports';

  it.each([
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
    ['a shared web piece knows a feature', 'web/src/ui/x.ts', "export { x } from '../features/events/x';"],
  ])('are kept: %s', async (_what, file, code) => {
    expect(await rulesBrokenBy(file, code)).toEqual([importRule]);
  });

  it('keep a server from URL.canParse', async () => {
    expect(await rulesBrokenBy('gateway/src/x.ts', "export const x = URL.canParse('y');")).toEqual([
      'no-restricted-syntax',
    ]);
  });

  it.each([
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
    ['the drawer that all use', 'web/src/ui/sheet.tsx', "export { Drawer } from 'antd';"],
    ['the browser uses types', 'web/src/x.ts', "export type { User } from '@meetmark/contracts';"],
    ['the browser uses limits', 'web/src/x.ts', "export { LIMITS } from '@meetmark/contracts/limits';"],
  ])('allow what is meant: %s', async (_what, file, code) => {
    expect(await rulesBrokenBy(file, code)).toEqual([]);
  });

  it('let only the configuration read the environment', async () => {
    expect(await rulesBrokenBy('services/auth/src/x.ts', 'export const x = process.env.X;')).toEqual([
      'no-restricted-properties',
    ]);
    expect(await rulesBrokenBy('libs/platform/src/config/x.ts', 'export const x = process.env.X;')).toEqual(
      [],
    );
  });
});
