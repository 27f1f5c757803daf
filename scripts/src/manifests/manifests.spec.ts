import { DISCREET_LOG } from '@meetmark/testing/embedded/postgres';
import { parse } from 'yaml';
import {
  containers,
  field,
  listFiles,
  one,
  OWN,
  getPod,
  readCompose,
  readManifests,
  readText,
} from './manifest.js';
import { strictProblems } from './strict.js';

const local = readManifests('base', 'overlays/local');
const restore = readManifests('.');

interface Kustomization {
  resources: string[];
  patches?: { path: string }[];
  images?: { name: string; newTag?: string; digest?: string }[];
}
const readKustomization = (folder: string) =>
  parse(readText(`k8s/${folder}/kustomization.yaml`)) as Kustomization;

describe('the manifests', () => {
  it('are valid for the Kubernetes API in every field', () => {
    expect(strictProblems([...local, ...readManifests('overlays/production'), ...restore])).toEqual([]);
  }, 60_000);

  // In the repository, the digests are placeholders. `pin-images.mjs --check` checks the digests of a
  // release.
  it('name images by digest in production', () => {
    const { images = [] } = readKustomization('overlays/production');
    const pinned = images.filter(({ digest = '' }) => /^sha256:[0-9a-f]{64}$/.test(digest));
    const used = containers(readManifests('base')).map(({ image }) => image.split(':')[0]);
    expect(used.filter((name) => !pinned.some((image) => image.name === name))).toEqual([]);
  });

  it.each(['base', 'overlays/local', 'overlays/production'])('include every file of folder %s', (folder) => {
    const { resources, patches = [] } = readKustomization(folder);
    const named = [...resources, ...patches.map((patch) => patch.path)];
    expect(named.filter((name) => name.endsWith('.yaml')).toSorted()).toEqual(listFiles(folder).toSorted());
  });

  it('contain the same settings as config/community.json', () => {
    const text = String(field(one(local, 'ConfigMap', 'meetmark-community'), 'data', 'community.json'));
    expect(JSON.parse(text)).toEqual(JSON.parse(readText('config/community.json')));
  });

  it('give Redis the same users as Compose', () => {
    const data = field<Record<string, string>>(one(local, 'ConfigMap', 'redis-users'), 'data');
    for (const name of ['users.acl', 'start.sh']) expect(data[name]).toBe(readText(`config/redis/${name}`));
  });

  it('use the same restore script as Compose', () => {
    const data = field<Record<string, string>>(one(restore, 'ConfigMap', 'restore'), 'data');
    expect(data['restore.sh']).toBe(readText('config/postgres/restore.sh'));
  });

  it('give each process only the Redis URL of its own user', () => {
    const handed = OWN.flatMap((name) =>
      [...JSON.stringify(getPod(one(local, 'Deployment', name))).matchAll(/"key":"([^"]*redis[^"]*)"/g)].map(
        ([, key]) => `${name}: ${key}`,
      ),
    );
    expect(handed).toEqual(OWN.map((name) => `${name}: ${name}-redis-url`));
  });

  it('keep statements and values out of the PostgreSQL log, like Compose', () => {
    const [server] = containers([one(local, 'StatefulSet', 'postgres')]);
    const compose = readCompose();
    const settings = Object.entries(DISCREET_LOG).map(([name, value]) => `${name}=${value}`);
    expect(field(server, 'args')).toEqual(expect.arrayContaining(settings));
    expect(field(compose, 'services', 'postgres', 'command')).toEqual(expect.arrayContaining(settings));
    const operations = readText('docs/operations.md');
    for (const setting of settings) expect(operations).toContain(`\`${setting}\``);
  });
});
