import path from 'node:path';
import { missingInProduction, readWorkspaces, undeclared, unused, type Workspace } from './workspaces.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const all = readWorkspaces(ROOT);
const [top] = all as [Workspace];
/** What images and browsers are made of. */
const isShipped = ({ folder }: Workspace) =>
  /^(gateway|web|services\/|libs\/(contracts|platform)$)/.test(folder);
const using = (workspace: Workspace, file: string, name: string): Workspace => ({
  ...workspace,
  sources: [...workspace.sources, { file, text: `import '${name}';`, imports: [name] }],
});

describe.each(all.map((workspace) => [workspace.manifest.name, workspace] as const))('%s', (_, workspace) => {
  it('declares what it imports', () => {
    expect(undeclared(workspace, top)).toEqual([]);
  });

  it('uses what it declares', () => {
    expect(unused(ROOT, workspace, all)).toEqual([]);
  });
});

describe.each(all.filter(isShipped).map((workspace) => [workspace.folder, workspace] as const))(
  'what is shipped of %s',
  (_, workspace) => {
    it('imports nothing that only development installs', () => {
      expect(missingInProduction(workspace)).toEqual([]);
    });
  },
);

describe('a package', () => {
  const gateway = all.find(({ folder }) => folder === 'gateway') ?? top;

  it('that is imported but not declared is found', () => {
    const file = 'gateway/src/x.ts';
    expect(undeclared(using(gateway, file, 'left-pad'), top)).toEqual([`${file}: left-pad`]);
    // Specs may import it, what is shipped may not.
    expect(missingInProduction(using(gateway, file, '@meetmark/testing'))).toEqual([
      `${file}: @meetmark/testing`,
    ]);
    expect(missingInProduction(using(gateway, 'gateway/src/x.spec.ts', '@meetmark/testing'))).toEqual([]);
  });

  it('that is declared but not used is found', () => {
    const dependencies = { ...gateway.manifest.dependencies, luxon: '*' };
    const idle = { ...gateway, manifest: { ...gateway.manifest, dependencies } };
    expect(unused(ROOT, idle, all)).toEqual(['luxon']);
  });
});
