// npm run test:browsers: installs what drives the browsers, builds what has changed, then the main stories in every browser of this machine, or in those that are named.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { command } from './bootstrap/command.mjs';

/** By the names of their programs; the first is Debian's. WebKit comes with a WebDriver, and needs a screen. */
const BROWSERS = [
  {
    engine: 'Chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    debian: 'chromium',
  },
  { engine: 'Firefox', programs: ['firefox-esr', 'firefox'], debian: 'firefox-esr' },
  { engine: 'WebKit', programs: ['WebKitWebDriver'], debian: 'webkit2gtk-driver xvfb' },
];

command(async (root) => {
  const names = process.argv.slice(2).map((name) => name.toLowerCase());
  const wanted = BROWSERS.filter(
    ({ engine }) => names.length === 0 || names.includes(engine.toLowerCase()),
  ).map(({ engine, programs, debian }) => ({ engine, debian, program: whatRuns(engine, programs) }));
  const found = wanted.filter(({ program }) => program !== undefined);
  for (const { engine, debian, program } of wanted)
    console.log(
      program
        ? `${engine}: ${versionOf(program)}`
        : `${engine}: not found (Debian: apt-get install ${debian})`,
    );
  if (found.length === 0 || (names.length > 0 && found.length < names.length))
    throw new Error('There is no such browser on this machine: nothing was tested.');

  const { build } = await import('./bootstrap/build.mjs');
  const { installIfNeeded } = await import('./bootstrap/install.mjs');
  const { runJest } = await import('./bootstrap/run.mjs');
  const stories = path.join(root, 'e2e/src/browsers');
  await installIfNeeded(stories, { tests: false });
  await build(root);
  const types = [path.join(root, 'node_modules/typescript-native/bin/tsc'), '--noEmit', '-p', stories];
  if (spawnSync(process.execPath, types, { stdio: 'inherit' }).status !== 0)
    throw new Error('The types of the stories are wrong (see above): nothing was tested.');
  process.exitCode = await runJest(
    root,
    ['--config', path.join(root, 'e2e/browsers.config.mjs'), '--runInBand', '--verbose'],
    { stdio: 'inherit', env: { ...process.env, MEETMARK_BROWSERS: JSON.stringify(found) } },
  );
  const outcome = process.exitCode === 0 ? 'all stories passed' : 'FAILED';
  console.log(`\nRun in ${found.map(({ engine }) => engine).join(', ')}: ${outcome}`);
});

function whatRuns(engine, programs) {
  const hasScreen = process.env.DISPLAY || process.env.WAYLAND_DISPLAY || pathOf('Xvfb');
  if (engine === 'WebKit' && !hasScreen) return undefined;
  return programs.map(pathOf).find((program) => program !== undefined);
}

function pathOf(program) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, program))
    .find((file) => fs.existsSync(file));
}

function versionOf(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const line = stdout?.split('\n')[0] ?? '';
  // WebKit's WebDriver has no such option
  return /\d/.test(line) && !line.startsWith('Usage') ? line : program;
}
