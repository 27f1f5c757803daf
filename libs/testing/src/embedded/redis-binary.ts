import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onPath, unpackFromApt } from './apt-package.js';

interface RedisBinary {
  program: string;
  env: NodeJS.ProcessEnv;
  version: string;
  origin: 'PATH' | 'package unpacked privately';
}

const SERVERS = ['redis-server', 'valkey-server'];
/** Version 7 introduced BLMPOP and LMPOP. */
const OLDEST_MAJOR = 7;

const INSTALL_HINTS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '`brew install redis`',
  win32: 'run Meetmark inside WSL',
  linux: '`sudo apt install redis-server`, `sudo dnf install valkey` or `sudo apk add redis`',
};

/** Finds a Redis or Valkey server on PATH. If there is none, unpacks the distribution's package. */
export function findRedis(note: (message: string) => void): RedisBinary {
  for (const name of SERVERS) {
    const program = onPath(name);
    const version = program && readVersion(program, process.env);
    if (program && version) return { program, env: process.env, version, origin: 'PATH' };
  }
  try {
    return fromCache(note);
  } catch (error) {
    const hint = INSTALL_HINTS[process.platform] ?? 'install Redis 7 or newer';
    const detail = error instanceof Error ? error.message : String(error);
    throw new Error(`No Redis 7 or newer was found (${detail}). To go on: ${hint}; or set REDIS_URL.`, {
      cause: error,
    });
  }
}

function readVersion(program: string, env: NodeJS.ProcessEnv): string | null {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', env });
  const version = status === 0 ? /v=(\d+[.\d]*)/.exec(stdout)?.[1] : undefined;
  return version && Number.parseInt(version, 10) >= OLDEST_MAJOR ? version : null;
}

// The cache is outside of the checkout, so that all clones share one download.
function cacheDirectory(): string {
  const base = process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache');
  return path.join(base, 'meetmark', `redis-${process.arch}-${distribution()}`);
}

function distribution(): string {
  const release = fs.existsSync('/etc/os-release') ? fs.readFileSync('/etc/os-release', 'utf8') : '';
  const field = (name: string) => new RegExp(`^${name}="?([\\w.-]+)`, 'm').exec(release)?.[1] ?? 'unknown';
  return `${field('ID')}-${field('VERSION_ID')}`;
}

function fromCache(note: (message: string) => void): RedisBinary {
  const home = cacheDirectory();
  const cached = probe(home);
  if (cached) return cached;
  const failures: string[] = [];
  for (const name of SERVERS) {
    note(`no Redis on PATH: unpacking the package ${name} into ${home} (nothing is installed system-wide)`);
    try {
      unpackFromApt(name, home);
      const unpacked = probe(home);
      if (unpacked) return unpacked;
      failures.push(`the package ${name} does not run here or is older than version ${OLDEST_MAJOR}`);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(failures.join('; '));
}

function probe(home: string): RedisBinary | null {
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => {
    const directory = path.join(home, folder);
    if (!fs.existsSync(directory)) return [];
    const triplets = fs.readdirSync(directory).filter((name) => name.includes('-linux-'));
    return triplets.map((triplet) => path.join(directory, triplet));
  });
  const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(':') };
  for (const name of SERVERS) {
    const program = path.join(home, 'usr/bin', name);
    const version = fs.existsSync(program) ? readVersion(program, env) : null;
    if (version) return { program, env, version, origin: 'package unpacked privately' };
  }
  return null;
}
