import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Text = readonly [path: string, code: string];

/**
 * Lints all texts at once, each as a file beside that of its path; resolves with the rules that one of them breaks.
 * @throws Error with what oxlint says where it came to no answer
 */
export function linted(texts: readonly Text[]): (path: string, code: string) => string[] {
  const folder = mkdtempSync(join(tmpdir(), 'meetmark-lint-'));
  try {
    const config = join(folder, 'oxlint.config.mjs');
    const own = pathToFileURL(join(root, 'oxlint.config.mjs')).href;
    writeFileSync(config, `export { default } from '${own}';`);
    const files = texts.map(([path, code], at) => {
      const file = path.replace(/(?<=\/)x(?=\.)/, `x${at}`);
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), code);
      return file;
    });
    const { stdout, stderr } = spawnSync(
      join(root, 'node_modules/.bin/oxlint'),
      ['--config', config, '--format', 'json'],
      { cwd: folder, encoding: 'utf8' },
    );
    if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    return (path, code) => {
      const file = files[texts.findIndex(([each, its]) => each === path && its === code)];
      if (!file) throw new Error(`was not linted: ${code}`);
      return diagnostics.filter(({ filename }) => filename === file).map(({ code: rule }) => rule);
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
