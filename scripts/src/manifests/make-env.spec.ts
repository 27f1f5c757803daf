import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { IdentityKey, IdentityKeys } from '@meetmark/platform';
import { parse } from 'yaml';
import { DEMO_MEMBER_EMAIL } from '../seed/seed-demo.js';
import { field, readManifests } from './manifest.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PROGRAM = path.join(ROOT, 'scripts/make-env.mjs');
const run = (...args: string[]) => execFileSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
const newFolder = () => mkdtempSync(path.join(tmpdir(), 'make-env-'));
const newFile = (text?: string) => {
  const file = path.join(newFolder(), '.env');
  if (text !== undefined) writeFileSync(file, text);
  return file;
};
const text = (file: string) => readFileSync(file, 'utf8');
const read = (file: string) => parseEnv(text(file));

describe('make-env.mjs', () => {
  it('writes unique values for all required variables, readable only by the file’s owner', () => {
    const file = newFile();
    run(file);
    const compose = text(path.join(ROOT, 'docker-compose.yml'));
    const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
    const values = read(file);
    expect(required.length).toBeGreaterThan(15);
    expect(required.filter((name) => !values[name])).toEqual([]);
    expect(new Set(Object.values(values)).size).toBe(Object.keys(values).length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('adds missing secrets and keeps all existing values', () => {
    const file = newFile();
    run(file);
    const { ADMIN_EMAIL, ADMIN_PASSWORD, ...secrets } = read(file);
    expect([ADMIN_EMAIL, ADMIN_PASSWORD]).not.toContain(undefined);
    // Simulates a .env of an older version that the operator has edited.
    const missing = /^(ADMIN_EMAIL|ADMIN_PASSWORD|IDENTITY_PUBLIC_KEYS|\w+_REDIS_PASSWORD)=.*\n/gm;
    const older = `${text(file).replace(missing, '')}PUBLIC_URL=https://events.example.org`;
    writeFileSync(file, older);
    expect(run(file)).toContain('OPERATOR_REDIS_PASSWORD');
    const after = read(file);
    expect(Object.keys(after).toSorted()).toEqual([...Object.keys(secrets), 'PUBLIC_URL'].toSorted());
    expect(after).toMatchObject({ ...parseEnv(older), IDENTITY_PUBLIC_KEYS: secrets.IDENTITY_PUBLIC_KEYS });
    expect(run(file)).toContain('Nothing was changed');
    expect(read(file)).toEqual(after);
  });

  it('makes a new pair of identity keys each time', () => {
    const pairs = [1, 2].map(() => parseEnv(run('--identity')));
    const [first, second] = pairs.map(
      ({ IDENTITY_PRIVATE_KEY }) => new IdentityKey(IDENTITY_PRIVATE_KEY!).id,
    );
    const keys = new IdentityKeys([pairs[0]!.IDENTITY_PUBLIC_KEYS!]);
    expect([keys.has(first!), keys.has(second!)]).toEqual([true, false]);
  });

  it('adds secrets and an administrator to a file with only pinned images', () => {
    const file = newFile('NODE_IMAGE=node:24-slim@sha256:0\n');
    const output = run(file);
    const { NODE_IMAGE, ADMIN_EMAIL, ADMIN_PASSWORD, SESSION_SECRETS } = read(file);
    expect([NODE_IMAGE, SESSION_SECRETS?.length]).toEqual(['node:24-slim@sha256:0', 43]);
    expect(output).toContain(`The first owner will be ${ADMIN_EMAIL} / ${ADMIN_PASSWORD}`);
  });

  it('prints a Kubernetes Secret with every key that the manifests use', () => {
    const keys = Object.keys(field<object>(parse(run('--kubernetes')), 'stringData'));
    const local = JSON.stringify(readManifests('base', 'overlays/local'));
    const used = [...local.matchAll(/"secretKeyRef":\{"name":"meetmark","key":"([^"]+)"/g)];
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter(([, key = '']) => !keys.includes(key))).toEqual([]);
  });
});

describe('make-env.mjs --demo', () => {
  /** Runs the script with a fake `docker` that records calls and exits with `status`. It has one `volume`. */
  const start = (
    folder: string,
    variables: Record<string, string> = {},
    { status = 0, volume = '' } = {},
  ) => {
    const log = path.join(folder, 'docker.log');
    const docker = `#!/bin/sh
      if [ "$1" = volume ]; then [ "$3" = '${volume}' ]; exit; fi
      echo "$@" >> '${log}'
      exit ${status}`;
    writeFileSync(path.join(folder, 'docker'), docker, { mode: 0o755 });
    const PATH = `${folder}${path.delimiter}${process.env['PATH']}`;
    const env = { PATH, ...variables } as NodeJS.ProcessEnv;
    const result = spawnSync(process.execPath, [PROGRAM, '--demo'], { cwd: folder, encoding: 'utf8', env });
    const calls = existsSync(log) ? text(log).trim().split('\n') : [];
    return { status: result.status, output: result.stdout, refusal: result.stderr, calls };
  };
  const UP = 'compose up -d --build --wait';

  it('starts the demo and prints its random passwords only the first time', () => {
    const folder = newFolder();
    const first = start(folder);
    const values = read(path.join(folder, '.env'));
    const { ADMIN_EMAIL, ADMIN_PASSWORD = '', DEMO_MEMBER_PASSWORD = '', COMMUNITY_CONFIG = '' } = values;
    expect([first.status, first.calls, values.COMPOSE_PROFILES]).toEqual([0, [UP], 'demo']);
    expect(first.output).toContain(`Owner: ${ADMIN_EMAIL} / ${ADMIN_PASSWORD}`);
    expect(first.output).toContain(`Member: ${DEMO_MEMBER_EMAIL} / ${DEMO_MEMBER_PASSWORD} `);
    expect(statSync(path.join(folder, '.env')).mode & 0o777).toBe(0o600);
    expect(new Set([ADMIN_PASSWORD, DEMO_MEMBER_PASSWORD]).size).toBe(2);
    expect(existsSync(path.join(ROOT, COMMUNITY_CONFIG.replace('/app/', '')))).toBe(true);
    const again = start(folder, {}, { volume: 'meetmark_postgres' });
    expect([again.status, again.calls, read(path.join(folder, '.env'))]).toEqual([0, [UP, UP], values]);
    expect(again.output).not.toMatch(/Owner|Member/);
  });

  it('prints the passwords even if Compose fails', () => {
    const folder = newFolder();
    const { status, output, refusal } = start(folder, {}, { status: 17 });
    const { ADMIN_PASSWORD } = read(path.join(folder, '.env'));
    expect([status, output]).toEqual([17, expect.stringContaining(`/ ${ADMIN_PASSWORD}\n`)]);
    expect(output).not.toContain('The demo community is at');
    expect(refusal).toContain('docker compose logs seed-demo');
  });

  it.each([
    ['COMPOSE_FILE', 'docker-compose.yml:docker-compose.production.yml'],
    ['PUBLIC_URL', 'https://events.example.org'],
    ['SMTP_URL', 'smtps://mail.example.org'],
  ])('refuses a production setting in .env or in the shell: %s', (name, value) => {
    const inShell = newFolder();
    expect(start(inShell, { [name]: value })).toMatchObject({ status: 1, output: '', calls: [] });
    expect(existsSync(path.join(inShell, '.env'))).toBe(false);
    const file = newFile(`DEMO_MEMBER_PASSWORD=x\n${name}=${value}\n`);
    const inFile = start(path.dirname(file));
    expect(inFile).toMatchObject({ status: 1, calls: [] });
    expect(inFile.refusal).toMatch(new RegExp(`^Nothing was started: .*${name}`));
  });

  it('refuses a database whose .env is missing, and the .env of another installation', () => {
    const folder = newFolder();
    const lost = start(folder, {}, { volume: 'meetmark_postgres' });
    expect(lost).toMatchObject({ status: 1, output: '', calls: [] });
    expect(lost.refusal).toMatch(/^Nothing was started: there is a database, but no \.env/);
    expect(existsSync(path.join(folder, '.env'))).toBe(false);
    run(path.join(folder, '.env'));
    const other = start(folder);
    expect(other).toMatchObject({ status: 1, calls: [] });
    expect(other.refusal).toContain('.env belongs to another installation');
  });
});
