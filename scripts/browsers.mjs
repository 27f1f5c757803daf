// npm run test:browsers [-- browser...]: runs the main stories in the named browsers, or in all installed
// ones. Installs their drivers and builds changes first.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { command } from './support/command.mjs';

/**
 * Program names of each browser, Debian's first. For WebKit, this is its WebDriver, which needs a display.
 */
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
      program ? `${engine}: ${program}` : `${engine}: not found (Debian: apt-get install ${debian})`,
    );
  if (found.length === 0 || (names.length > 0 && found.length < names.length))
    throw new Error('None of these browsers is installed. Nothing was tested.');

  const { build } = await import('./support/build.mjs');
  const { installIfNeeded } = await import('./support/install.mjs');
  const { runJest } = await import('./support/run.mjs');
  const stories = path.join(root, 'e2e/src/browsers');
  await installIfNeeded(stories, { tests: false });
  await build(root);
  const types = [path.join(root, 'node_modules/typescript-native/bin/tsc'), '--noEmit', '-p', stories];
  if (spawnSync(process.execPath, types, { stdio: 'inherit' }).status !== 0)
    throw new Error('The tests have type errors (see above). Nothing was tested.');
  process.exitCode = await runJest(
    root,
    ['--config', path.join(root, 'e2e/browsers.config.mjs'), '--runInBand', '--verbose'],
    { stdio: 'inherit', env: { ...process.env, MEETMARK_BROWSERS: JSON.stringify(found) } },
  );
  const outcome = process.exitCode === 0 ? 'all stories passed' : 'FAILED';
  console.log(`\nRun in ${found.map(({ engine }) => engine).join(', ')}: ${outcome}`);
});

function whatRuns(engine, programs) {
  const hasScreen = process.env.DISPLAY || process.env.WAYLAND_DISPLAY || findProgram('Xvfb');
  if (engine === 'WebKit' && !hasScreen) return undefined;
  return programs.map(findProgram).find((program) => program !== undefined);
}

function findProgram(program) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, program))
    .find((file) => fs.existsSync(file));
}
