import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

interface Image {
  newName: string;
  digest: string;
}

const ROOT = path.resolve(import.meta.dirname, '../../..');
const makeDigest = (character: string) => `sha256:${character.repeat(64)}`;

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

describe('pin-images.mjs', () => {
  it('pins the images in .env by digest and keeps other variables', () => {
    const { run, read, folder } = installation(answers(makeDigest('a')));
    writeFileSync(path.join(folder, '.env'), 'KEPT=1\nREDIS_IMAGE=redis:7\n');
    expect(run().status).toBe(0);
    expect(read('.env').trim().split('\n').toSorted()).toEqual([
      'KEPT=1',
      `MAIL_IMAGE=axllent/mailpit:v1.27@${makeDigest('a')}`,
      `NODE_IMAGE=node:24-slim@${makeDigest('a')}`,
      `POSTGRES_IMAGE=postgres:17@${makeDigest('a')}`,
      `REDIS_IMAGE=redis:8@${makeDigest('a')}`,
      `RUNTIME_IMAGE=debian:bookworm-slim@${makeDigest('a')}`,
    ]);
  });

  it('writes the digests of a release to the production overlay', () => {
    const { run, read } = installation(answers(makeDigest('b')));
    expect(run('--release', 'registry.test:5000/group/meetmark', 'v2').status).toBe(0);
    const { images } = parse(read('k8s/overlays/production/kustomization.yaml')) as { images: Image[] };
    const names = ['gateway', 'auth', 'events', 'admin', 'worker', 'migrate'];
    const wanted = names.map((name) => `registry.test:5000/group/meetmark/${name}@${makeDigest('b')}`);
    expect(images.map(({ newName, digest }) => `${newName}@${digest}`).toSorted()).toEqual(
      [`postgres@${makeDigest('b')}`, ...wanted].toSorted(),
    );
  });

  it('--check fails while digests or host names are placeholders', () => {
    const { run, read, folder } = installation(answers(makeDigest('c')));
    const fresh = run('--check');
    expect(fresh.status).toBe(1);
    for (const name of ['gateway', 'auth', 'events', 'admin', 'worker', 'migrate'])
      expect(fresh.stderr).toContain(`meetmark/${name} has no digest`);
    expect(fresh.stderr).toContain('postgres has no digest');
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

  it.each([
    ['refuses', refuses],
    ['answers with something else', answers('latest')],
  ])('changes no file when the registry %s', (_, registry) => {
    const { run, read, folder } = installation(registry);
    writeFileSync(path.join(folder, '.env'), 'KEPT=1\n');
    const before = read('k8s/overlays/production/kustomization.yaml');
    expect(run().status).toBe(1);
    expect(run('--release', 'registry.test/meetmark', 'v2').status).toBe(1);
    expect(read('.env')).toBe('KEPT=1\n');
    expect(read('k8s/overlays/production/kustomization.yaml')).toBe(before);
  });
});
