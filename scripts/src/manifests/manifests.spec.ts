import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadCommunity } from '@meetmark/platform/community/load-community';
import { containers, field, MAX_CONNECTIONS, one, OWN, rules } from './checklist.js';
import { containersOf, podOf, render, type Container, type Manifest } from './render.js';
import { strictProblems } from './strict.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const overlay = (name: string) => render(path.join(ROOT, 'k8s/overlays', name));
const local = overlay('local');
const production = overlay('production');

const copy = (manifests: Manifest[]) => structuredClone(manifests);

/** For each rule a fault that it has to find. */
const faults: Record<string, (manifests: Manifest[]) => void> = {
  'pods run as a numbered user who is not root': (m) =>
    void (field<Record<string, unknown>>(podOf(one(m, 'Deployment', 'auth')), 'spec', 'securityContext')[
      'runAsUser'
    ] = 0),
  'containers have a read-only root, no privileges and no capabilities': (m) =>
    void delete field<Record<string, unknown>>(first(m, 'auth'), 'securityContext')['capabilities'],
  'writable folders have a size limit': (m) =>
    void (field<Record<string, unknown>>(podOf(one(m, 'Deployment', 'auth')), 'spec', 'volumes', 0)[
      'emptyDir'
    ] = {}),
  'pods use the default seccomp profile': (m) =>
    void delete field<Record<string, unknown>>(
      podOf(one(m, 'Deployment', 'auth')),
      'spec',
      'securityContext',
    )['seccompProfile'],
  'each workload has a service account of its own, without a token': (m) =>
    void (one(m, 'ServiceAccount', 'auth')['automountServiceAccountToken'] = true),
  'no host path, network, pid or privileged container': (m) =>
    void (field<Record<string, unknown>>(podOf(one(m, 'Deployment', 'auth')), 'spec')['hostNetwork'] = true),
  'requests and limits stand on every container': (m) =>
    void delete field<Record<string, unknown>>(first(m, 'auth'), 'resources', 'limits')['memory'],
  'everything that scales has an autoscaler with a slow way down, and no replica count beside it': (m) =>
    void (field<Record<string, unknown>>(one(m, 'Deployment', 'auth'), 'spec')['replicas'] = 2),
  'the pools of all replicas, old and new ones in a rollout, leave ten connections of the database': (m) =>
    void (field<Record<string, unknown>>(one(m, 'HorizontalPodAutoscaler', 'events'), 'spec')['maxReplicas'] =
      12),
  'a disruption takes one pod at a time': (m) =>
    void (field<Record<string, unknown>>(one(m, 'PodDisruptionBudget', 'auth'), 'spec')['minAvailable'] = 2),
  'replicas spread over hosts and zones by their own labels': (m) =>
    void (field<Record<string, string>>(podOf(one(m, 'Deployment', 'auth')), 'metadata', 'labels')[
      'app.kubernetes.io/name'
    ] = 'other'),
  'a rollout never has fewer pods than before': (m) =>
    void (field<Record<string, unknown>>(one(m, 'Deployment', 'auth'), 'spec', 'strategy', 'rollingUpdate')[
      'maxUnavailable'
    ] = 1),
  'the gateway comes before the services, and these before the worker': (m) =>
    void (one(m, 'PriorityClass', 'meetmark-worker')['value'] = 1_000_000),
  'probes ask the right question, patiently': (m) =>
    void (field<Record<string, unknown>>(first(m, 'auth'), 'livenessProbe', 'httpGet')['path'] = '/readyz'),
  'each process has the time to stop that it needs': (m) =>
    void (field<Record<string, unknown>>(podOf(one(m, 'Deployment', 'worker')), 'spec')[
      'terminationGracePeriodSeconds'
    ] = 30),
  'nothing talks without an edge that allows it': (m) =>
    void (one(m, 'NetworkPolicy', 'default-deny').metadata.name = 'gone'),
  'secrets come by reference, and stand in no ConfigMap': (m) =>
    void (field<Record<string, unknown>>(one(m, 'ConfigMap', 'meetmark'), 'data')['SESSION_SECRETS'] =
      'plain'),
  'the migration is a job that gives up': (m) =>
    void delete field<Record<string, unknown>>(one(m, 'Job', 'migrate'), 'spec')['backoffLimit'],
  'the namespace refuses pods that are not restricted': (m) =>
    void delete one(m, 'Namespace', 'meetmark').metadata.labels,
  'the heap leaves a quarter of the memory limit': (m) =>
    void (field<Record<string, unknown>>(first(m, 'auth'), 'resources', 'limits')['memory'] = '383Mi'),
  'whatever comes in from outside comes by TLS, in a bounded body, from one known proxy': (m) =>
    void (field<Record<string, unknown>>(one(m, 'Service', 'gateway'), 'spec')['type'] = 'NodePort'),
  'no image is called latest': (m) => void (first(m, 'auth').image = 'meetmark/auth:latest'),
};
const first = (manifests: Manifest[], name: string): Container => {
  const container = containersOf(one(manifests, 'Deployment', name))[0];
  if (container === undefined) throw new Error(`${name} has no container`);
  return container;
};

describe.each(Object.keys(rules))('%s', (name) => {
  const problems = (manifests: Manifest[]) => rules[name]?.(manifests);

  it('holds in both overlays', () => {
    expect(problems(local)).toEqual([]);
    expect(problems(production)).toEqual([]);
  });

  it('is found out when it does not hold', () => {
    const spoilt = copy(local);
    faults[name]?.(spoilt);
    expect(problems(spoilt)).not.toEqual([]);
  });
});

describe('the manifests', () => {
  it('are what the Kubernetes API accepts, down to the last field', async () => {
    expect(await strictProblems([...local, ...production])).toEqual([]);
  }, 60_000);

  it('are refused for a kind, a type or a field that does not exist', async () => {
    const spoilt = copy(local);
    one(spoilt, 'Job', 'migrate').kind = 'Jobb';
    field<Record<string, unknown>>(one(spoilt, 'Deployment', 'auth'), 'spec')['replicaz'] = 3;
    field<Record<string, unknown>>(one(spoilt, 'Deployment', 'events'), 'spec')['minReadySeconds'] = 'soon';
    const problems = (await strictProblems(spoilt)).join('\n');
    expect(problems).toMatch(/Jobb\/migrate: there is no/);
    expect(problems).toMatch(/Deployment\/auth: .*replicaz/);
    expect(problems).toMatch(/Deployment\/events: .*minReadySeconds/);
  }, 60_000);

  it('name images by digest in production', () => {
    expect(
      containers(production)
        .map((c) => c.image)
        .filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image)),
    ).toEqual([]);
  });

  it.each([
    ['hsts', 'false'],
    ['proxy-body-size', '100m'],
    ['configuration-snippet', ''],
  ])('are found out when the ingress has %s: %s', (annotation, value) => {
    const spoilt = copy(production);
    field<Record<string, string>>(one(spoilt, 'Ingress', 'gateway'), 'metadata', 'annotations')[
      `nginx.ingress.kubernetes.io/${annotation}`
    ] = value;
    const rule = 'whatever comes in from outside comes by TLS, in a bounded body, from one known proxy';
    expect(rules[rule]?.(spoilt)).toEqual(['gateway']);
  });

  it('carry a community file that the processes accept', () => {
    const text = String(field(one(local, 'ConfigMap', 'meetmark-community'), 'data', 'community.json'));
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'community-')), 'community.json');
    writeFileSync(file, text);
    expect(loadCommunity(file)).toEqual(loadCommunity(path.join(ROOT, 'config/community.json')));
  });

  it('give Redis the users that Compose gives it', () => {
    const data = field<Record<string, string>>(one(local, 'ConfigMap', 'redis-users'), 'data');
    for (const name of ['users.acl', 'start.sh'])
      expect(data[name]).toBe(readFileSync(path.join(ROOT, 'config/redis', name), 'utf8'));
  });

  it('hand each process the password of its own user in Redis, and no other', () => {
    const handed = [local, production].flatMap((manifests) =>
      OWN.flatMap((name) =>
        [
          ...JSON.stringify(podOf(one(manifests, 'Deployment', name))).matchAll(/"key":"([^"]*redis[^"]*)"/g),
        ].map(([, key]) => `${name}: ${key}`),
      ),
    );
    expect(handed).toEqual([...OWN, ...OWN].map((name) => `${name}: ${name}-redis-url`));
  });

  it('count on as many connections as PostgreSQL in the cluster has', () => {
    const [server] = containersOf(one(local, 'StatefulSet', 'postgres'));
    expect(field(server, 'args')).toEqual(['-c', `max_connections=${MAX_CONNECTIONS}`]);
  });

  it('are refused by the renderer when an overlay uses more of Kustomize than it knows', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'overlay-'));
    writeFileSync(path.join(folder, 'kustomization.yaml'), 'namePrefix: x-\nresources: []\n');
    expect(() => render(folder)).toThrow(/does not know namePrefix/);
  });
});
