import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DISCREET_LOG } from '@meetmark/testing/embedded/postgres';
import { parse } from 'yaml';
import { MAX_CONNECTIONS } from './checklist/rules.js';
import { containers, deployment, field, one, OWN } from './lookup.js';
import { containersOf, podOf, render } from './render.js';
import { strictProblems } from './strict.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const overlay = (name: string) => render(path.join(ROOT, 'k8s/overlays', name));
const local = overlay('local');
const production = overlay('production');

describe('the manifests', () => {
  it('are what the Kubernetes API accepts, down to the last field', async () => {
    expect(await strictProblems([...local, ...production])).toEqual([]);
  }, 60_000);

  it('are refused for a kind, a type or a field that does not exist', async () => {
    const spoilt = structuredClone(local);
    one(spoilt, 'Job', 'migrate').kind = 'Jobb';
    field<Record<string, unknown>>(deployment(spoilt, 'auth'), 'spec')['replicaz'] = 3;
    field<Record<string, unknown>>(deployment(spoilt, 'events'), 'spec')['minReadySeconds'] = 'soon';
    const problems = (await strictProblems(spoilt)).join('\n');
    expect(problems).toMatch(/Jobb\/migrate: there is no/);
    expect(problems).toMatch(/Deployment\/auth: .*replicaz/);
    expect(problems).toMatch(/Deployment\/events: .*minReadySeconds/);
  }, 60_000);

  // Those of the repository are no real ones: whether a release's are, `pin-images.mjs --check` tells.
  it('name images by digest in production', () => {
    expect(
      containers(production)
        .map((c) => c.image)
        .filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image)),
    ).toEqual([]);
  });

  it('carry the community file of the images', () => {
    const text = String(field(one(local, 'ConfigMap', 'meetmark-community'), 'data', 'community.json'));
    expect(JSON.parse(text)).toEqual(
      JSON.parse(readFileSync(path.join(ROOT, 'config/community.json'), 'utf8')),
    );
  });

  it('give Redis the users that Compose gives it', () => {
    const data = field<Record<string, string>>(one(local, 'ConfigMap', 'redis-users'), 'data');
    for (const name of ['users.acl', 'start.sh'])
      expect(data[name]).toBe(readFileSync(path.join(ROOT, 'config/redis', name), 'utf8'));
  });

  it('hand each process the password of its own user in Redis, and no other', () => {
    const handed = [local, production].flatMap((manifests) =>
      OWN.flatMap((name) =>
        [...JSON.stringify(podOf(deployment(manifests, name))).matchAll(/"key":"([^"]*redis[^"]*)"/g)].map(
          ([, key]) => `${name}: ${key}`,
        ),
      ),
    );
    expect(handed).toEqual([...OWN, ...OWN].map((name) => `${name}: ${name}-redis-url`));
  });

  it('count on as many connections as PostgreSQL in the cluster has', () => {
    const [server] = containersOf(one(local, 'StatefulSet', 'postgres'));
    expect(field(server, 'args')).toEqual(expect.arrayContaining([`max_connections=${MAX_CONNECTIONS}`]));
  });

  it('and Compose keep rows, statements and values out of the log of PostgreSQL, as our own server does', () => {
    const [server] = containersOf(one(local, 'StatefulSet', 'postgres'));
    const compose = parse(readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });
    const settings = Object.entries(DISCREET_LOG).map(([name, value]) => `${name}=${value}`);
    expect(field(server, 'args')).toEqual(expect.arrayContaining(settings));
    expect(field(compose, 'services', 'postgres', 'command')).toEqual(expect.arrayContaining(settings));
    const operations = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
    for (const setting of settings) expect(operations).toContain(`\`${setting}\``);
  });

  it('are refused by the renderer when an overlay uses more of Kustomize than it knows', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'overlay-'));
    writeFileSync(path.join(folder, 'kustomization.yaml'), 'namePrefix: x-\nresources: []\n');
    expect(() => render(folder)).toThrow(/does not know namePrefix/);
  });
});
