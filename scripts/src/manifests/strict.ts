import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Manifest } from './manifest.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/**
 * Type-checks the manifests with kubernetes-models to find fields that the Kubernetes API would refuse or
 * drop. Returns one line per problem, starting with the manifest's kind and name.
 */
export function strictProblems(manifests: Manifest[]): string[] {
  const folder = mkdtempSync(path.join(ROOT, 'node_modules/.manifests-'));
  try {
    manifests.forEach((manifest, index) => {
      const type = `import('kubernetes-models/${manifest.apiVersion}/${manifest.kind}').I${manifest.kind}`;
      const text = `export const manifest: ${type} = ${JSON.stringify(manifest, null, 1)};\n`;
      writeFileSync(path.join(folder, `${index}.ts`), text);
    });
    const options = { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext', types: [] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    const tsc = path.join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
    return stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) =>
        line.replace(/^(\d+)\.ts/, (_, at: string) => {
          const { kind, metadata } = manifests[Number(at)]!;
          return `${kind}/${metadata.name}`;
        }),
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
