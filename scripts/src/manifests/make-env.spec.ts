import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { IdentityKey, IdentityKeys } from '@meetmark/platform';
import { parse } from 'yaml';
import { field } from './lookup.js';
import { render } from './render.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const run = (...args: string[]) =>
  execFileSync(process.execPath, [path.join(ROOT, 'scripts/make-env.mjs'), ...args], { encoding: 'utf8' });
const newFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'make-env-')), '.env');
const read = (file: string) => parseEnv(readFileSync(file, 'utf8'));

describe('the .env that is made for Compose', () => {
  it('has every value that docker-compose.yml does not start without, each different, for its user alone', () => {
    const file = newFile();
    run(file);
    const compose = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
    const demanded = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
    const values = read(file);
    expect(demanded.length).toBeGreaterThan(15);
    expect(demanded.filter((name) => !values[name])).toEqual([]);
    expect(new Set(Object.values(values)).size).toBe(Object.keys(values).length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('has a pair of keys for identities, of which an older file gets what it lacks', () => {
    const file = newFile();
    run(file);
    const { IDENTITY_PRIVATE_KEY = '', IDENTITY_PUBLIC_KEYS = '' } = read(file);
    const keys = new IdentityKeys([IDENTITY_PUBLIC_KEYS]);
    expect(keys.has(new IdentityKey(IDENTITY_PRIVATE_KEY).id)).toBe(true);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^IDENTITY_PUBLIC_KEYS=.*\n/m, ''));
    run(file);
    expect(read(file).IDENTITY_PUBLIC_KEYS).toBe(IDENTITY_PUBLIC_KEYS);
    const another = parseEnv(run('--identity'));
    expect(keys.has(new IdentityKey(another.IDENTITY_PRIVATE_KEY ?? '').id)).toBe(false);
    expect(Object.keys(another)).toEqual(['IDENTITY_PRIVATE_KEY', 'IDENTITY_PUBLIC_KEYS']);
  });

  it('has an administrator too when the images were pinned before', () => {
    const file = newFileWith('NODE_IMAGE=node:24-slim@sha256:0\n');
    const said = run(file);
    const { NODE_IMAGE, ADMIN_EMAIL, ADMIN_PASSWORD, SESSION_SECRETS } = read(file);
    expect([NODE_IMAGE, SESSION_SECRETS?.length]).toEqual(['node:24-slim@sha256:0', 43]);
    expect(said).toContain(`The first administrator will be ${ADMIN_EMAIL} / ${ADMIN_PASSWORD}`);
  });

  it('gets what a newer version needs, and keeps all the rest', () => {
    const file = newFile();
    run(file);
    const before = read(file);
    // as an older version left it, and its operator afterwards
    const older = readFileSync(file, 'utf8').replace(
      /^(ADMIN_EMAIL|ADMIN_PASSWORD|\w+_REDIS_PASSWORD)=.*\n/gm,
      '',
    );
    writeFileSync(file, `${older}PUBLIC_URL=https://events.example.org`);
    const said = run(file);
    const after = read(file);
    const { ADMIN_EMAIL, ADMIN_PASSWORD, ...secrets } = before;
    expect([ADMIN_EMAIL, ADMIN_PASSWORD]).not.toContain(undefined);
    expect(Object.keys(after).toSorted()).toEqual([...Object.keys(secrets), 'PUBLIC_URL'].toSorted());
    expect(after).toMatchObject(read(newFileWith(older)));
    expect(said).toContain('added OPERATOR_REDIS_PASSWORD');
    expect(run(file)).toContain('nothing was changed');
    expect(read(file)).toEqual(after);
  });
});

describe('the Secret that is made for a cluster of its own', () => {
  it('has every key that the manifests refer to', () => {
    const keys = Object.keys(field<Record<string, string>>(parse(run('--kubernetes')), 'stringData'));
    const local = JSON.stringify(render(path.join(ROOT, 'k8s/overlays/local')));
    const references = [...local.matchAll(/"secretKeyRef":\{"name":"meetmark","key":"([^"]+)"/g)];
    const missing = references.map(([, key = '']) => key).filter((key) => !keys.includes(key));
    expect(references.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});

function newFileWith(text: string): string {
  const file = newFile();
  writeFileSync(file, text);
  return file;
}
