import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { render } from './render.js';
import { containers } from './lookup.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const digestOf = (character: string) => `sha256:${character.repeat(64)}`;

/** A copy of what is rewritten, and a `docker` in front of the real one that knows one registry's answers. */
function installation(registry: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pinning-'));
  for (const name of ['scripts/pin-images.mjs', 'docker-compose.yml', 'k8s'])
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  mkdirSync(path.join(folder, 'bin'));
  writeFileSync(path.join(folder, 'bin/docker'), `#!/bin/sh\n${registry}\n`, { mode: 0o755 });
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [path.join(folder, 'scripts/pin-images.mjs'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}` },
    });
  return { folder, run, read: (name: string) => readFileSync(path.join(folder, name), 'utf8') };
}

const answers = (digest: string) =>
  `echo '{"mediaType":"application/vnd.oci.image.index.v1+json","digest":"${digest}"}'`;
const refuses = 'echo "not found" >&2; exit 1';

describe('the images', () => {
  it('are the same in Dockerfile and Compose before anybody has pinned them', () => {
    const compose = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
    const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
    for (const [line, name, image] of dockerfile.matchAll(/^ARG (\w+_IMAGE)=(.+)$/gm))
      expect([line, compose]).toEqual([line, expect.stringContaining(`\${${name}:-${image}}`)]);
    expect(compose.match(/^ +(image|[A-Z]+_IMAGE): (?!meetmark\/|\$\{[A-Z]+_IMAGE:-)/gm)).toBeNull();
  });

  it('are pinned by digest in .env, beside what stands there', () => {
    const { run, read, folder } = installation(answers(digestOf('a')));
    writeFileSync(path.join(folder, '.env'), 'KEPT=1\nREDIS_IMAGE=redis:7\n');
    expect(run().status).toBe(0);
    expect(read('.env').trim().split('\n').toSorted()).toEqual([
      'KEPT=1',
      `MAIL_IMAGE=axllent/mailpit:v1.27@${digestOf('a')}`,
      `NODE_IMAGE=node:24-slim@${digestOf('a')}`,
      `POSTGRES_IMAGE=postgres:17@${digestOf('a')}`,
      `REDIS_IMAGE=redis:8@${digestOf('a')}`,
      `RUNTIME_IMAGE=debian:bookworm-slim@${digestOf('a')}`,
    ]);
  });

  it('of a release are pinned in the production overlay', () => {
    const { run, folder } = installation(answers(digestOf('b')));
    expect(run('--release', 'registry.test:5000/group/meetmark', 'v2').status).toBe(0);
    const images = containers(render(path.join(folder, 'k8s/overlays/production'))).map(({ image }) => image);
    const names = ['gateway', 'auth', 'events', 'admin', 'worker', 'migrate'];
    const wanted = names.map((name) => `registry.test:5000/group/meetmark/${name}@${digestOf('b')}`);
    expect(images.toSorted()).toEqual(wanted.toSorted());
  });

  it('of a release are not taken for pinned while a digest or an address is an example', () => {
    const { run, read, folder } = installation(answers(digestOf('c')));
    const fresh = run('--check');
    expect(fresh.status).toBe(1);
    for (const name of ['gateway', 'auth', 'events', 'admin', 'worker', 'migrate'])
      expect(fresh.stderr).toContain(`meetmark/${name} has no digest`);
    run('--release', 'registry.test/meetmark', 'v2');
    const released = run('--check');
    expect(released.status).toBe(1);
    expect(released.stderr).not.toContain('digest');
    expect(released.stderr).toMatch(/production\/ingress\.yaml:\d+: - host: events\.example\.org/);
    for (const name of ['ingress', 'configuration']) {
      const file = `k8s/overlays/production/${name}.yaml`;
      writeFileSync(path.join(folder, file), read(file).replaceAll('example.org', 'leeds.test'));
    }
    expect(run('--check')).toMatchObject({ status: 0, stderr: '' });
  });

  it('are left alone by a word that is misspelt', () => {
    expect(installation(refuses).run('--chek').stderr).toBe('--chek is neither --release nor --check\n');
  });

  it.each([
    ['refuses', refuses],
    ['answers with something else', answers('latest')],
  ])('stay as they are when the registry %s', (_, registry) => {
    const { run, read, folder } = installation(registry);
    writeFileSync(path.join(folder, '.env'), 'KEPT=1\n');
    const before = read('k8s/overlays/production/kustomization.yaml');
    expect(run().status).toBe(1);
    expect(run('--release', 'registry.test/meetmark', 'v2').status).toBe(1);
    expect(read('.env')).toBe('KEPT=1\n');
    expect(read('k8s/overlays/production/kustomization.yaml')).toBe(before);
  });
});
