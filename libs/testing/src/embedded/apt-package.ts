import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const DOWNLOAD_TIMEOUT_MS = 180_000;

export function onPath(name: string): string | null {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const directory of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const candidate = path.join(directory, file);
    try {
      fs.accessSync(candidate, fs.constants.X_OK);
      return candidate;
    } catch {
      // The program isn't in this directory.
    }
  }
  return null;
}

/**
 * Downloads a package and its missing dependencies with apt and unpacks them below `home`. Needs no root.
 * Works on Debian and Ubuntu.
 * @throws Error with the reason if apt is missing or fails
 */
export function unpackFromApt(packageName: string, home: string): void {
  if (!onPath('apt-get') || !onPath('dpkg-deb'))
    throw new Error('no redis-server on PATH and no apt-get to fetch one');
  fs.mkdirSync(path.dirname(home), { recursive: true });
  const work = fs.mkdtempSync(`${home}.`);
  try {
    const archives = downloadArchives(packageName, work);
    const root = path.join(work, 'root');
    fs.mkdirSync(root);
    for (const archive of archives) run('dpkg-deb', ['-x', archive, root]);
    fs.rmSync(home, { recursive: true, force: true });
    fs.renameSync(root, home);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

function downloadArchives(packageName: string, work: string): string[] {
  const archives = path.join(work, 'cache/archives');
  for (const directory of ['state/lists/partial', 'cache/archives/partial']) {
    fs.mkdirSync(path.join(work, directory), { recursive: true });
  }
  const options = {
    'Dir::State': path.join(work, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': path.join(work, 'cache'),
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    // By default, `apt-get update` succeeds without a network. The package would then seem to be missing.
    'APT::Update::Error-Mode': 'any',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', ['-qq', ...flags, 'update']);
  run('apt-get', [
    '-qq',
    ...flags,
    'install',
    '--yes',
    '--download-only',
    '--no-install-recommends',
    packageName,
  ]);
  return fs
    .readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => path.join(archives, name));
}

function run(program: string, args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: DOWNLOAD_TIMEOUT_MS,
  });
  if (status === 0) return;
  const reason = stderr?.trim().split('\n').at(-1) || error?.message || `exit code ${status}`;
  throw new Error(`${program} ${args.at(-1)}: ${reason}`);
}
