import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Account, executable, type PostgresBinaries } from './postgres-binaries.js';
import { identify, stopProcess } from './process-identity.js';

/** Superuser and owner of the database. */
export const OWNER = 'meetmark_owner';

export const serverEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C', TZ: 'UTC' });

/**
 * Creates the data directory if there is none, and checks that this version of PostgreSQL can read it.
 * Returns the owner's password.
 */
export function prepareCluster(binaries: PostgresBinaries, directory: string): string {
  const secretFile = path.join(path.dirname(directory), 'postgres-password');
  if (!fs.existsSync(path.join(directory, 'PG_VERSION'))) createCluster(binaries, directory, secretFile);
  const made = fs.readFileSync(path.join(directory, 'PG_VERSION'), 'utf8').trim();
  const bundled = binaries.version.split('.')[0];
  if (made !== bundled) {
    throw new Error(
      `The data in ${directory} was made by PostgreSQL ${made}; the bundled server is ${bundled}. ` +
        `Remove the directory to start afresh, or serve it with PostgreSQL ${made} and set DATABASE_URL.`,
    );
  }
  return fs.readFileSync(secretFile, 'utf8').trim();
}

/**
 * Cleans up after a killed run. Stops a server that still uses this directory, and handles a pid file whose
 * pid belongs to another program.
 */
export async function recoverFromKill(directory: string, note: (message: string) => void): Promise<void> {
  const pidFile = path.join(directory, 'postmaster.pid');
  if (!fs.existsSync(pidFile)) return;
  const content = fs.readFileSync(pidFile, 'utf8');
  const owner = identify(Number.parseInt(content, 10));
  if (!owner) return;
  if (owner.command.includes('postgres') && owner.command.includes(directory)) {
    note(`stopping a PostgreSQL left over from an earlier run (pid ${owner.pid})`);
    await stopProcess(owner, [
      ['SIGINT', 10_000],
      ['SIGQUIT', 5_000],
    ]);
    return;
  }
  // PostgreSQL would refuse to start, because the file names the pid of a running program. It accepts the pid
  // of its parent, which is this process. Don't delete the file: PostgreSQL uses the rest of it to detect
  // backends that are still running.
  note(`postmaster.pid names pid ${owner.pid}, which now belongs to another program; taking over`);
  fs.writeFileSync(pidFile, content.replace(/^\d+/, String(process.pid)));
}

function createCluster(binaries: PostgresBinaries, directory: string, secretFile: string): void {
  const unfinished = `${directory}.unfinished`;
  for (const stale of [directory, unfinished]) fs.rmSync(stale, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const password = randomBytes(18).toString('base64url');
  const passwordFile = path.join(unfinished, '..', `.initdb-password-${process.pid}`);
  fs.writeFileSync(secretFile, `${password}\n`, { mode: 0o600 });
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    giveTo(binaries.account, unfinished, passwordFile);
    initdb(binaries, [
      ...['-D', unfinished, '-U', OWNER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
      // The builtin provider sorts in the same order on every machine.
      ...['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...['--no-sync', '--no-instructions'],
    ]);
    initdb(binaries, ['-D', unfinished, '--sync-only']);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  // Renamed last, so that an incomplete cluster never has the final name.
  fs.renameSync(unfinished, directory);
}

function giveTo(account: Account | undefined, ...paths: string[]): void {
  if (account) for (const each of paths) fs.chownSync(each, account.uid, account.gid);
}

function initdb({ home, account }: PostgresBinaries, args: string[]): void {
  const ids = account && { uid: account.uid, gid: account.gid };
  const result = spawnSync(executable(home, 'initdb'), args, {
    ...ids,
    cwd: '/',
    env: serverEnvironment(),
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    throw new Error(
      `initdb failed (${result.error?.message ?? `exit code ${result.status}`}): ${result.stderr}`,
    );
  }
}
