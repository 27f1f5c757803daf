import path from 'node:path';
import { containerOf, deployment, field, one } from '../lookup.js';
import { podOf, render, type Manifest } from '../render.js';
import { availability, confinement, exposure } from './rules.js';

const OVERLAYS = path.resolve(import.meta.dirname, '../../../../k8s/overlays');
const local = render(path.join(OVERLAYS, 'local'));
const production = render(path.join(OVERLAYS, 'production'));
const rules = { ...confinement, ...availability, ...exposure };

type Fault = (manifests: Manifest[]) => void;
type Fields = Record<string, unknown>;
/** Puts a value, or nothing, where another one stands. */
const put = (parent: unknown, key: string, value?: unknown) => void ((parent as Fields)[key] = value);
const podSpec = (m: Manifest[], name: string) => field(podOf(deployment(m, name)), 'spec');

/** For each rule a fault that it has to find. */
const faults: Record<string, Fault> = {
  'the namespace refuses pods that are not restricted': (m) =>
    put(one(m, 'Namespace', 'meetmark').metadata, 'labels'),
  'pods run as a numbered user who is not root': (m) =>
    put(field(podSpec(m, 'auth'), 'securityContext'), 'runAsUser', 0),
  'containers have a read-only root, no privileges and no capabilities': (m) =>
    put(containerOf(m, 'auth')['securityContext'], 'capabilities'),
  'writable folders have a size limit': (m) => put(field(podSpec(m, 'auth'), 'volumes', 0), 'emptyDir', {}),
  'pods use the default seccomp profile': (m) =>
    put(field(podSpec(m, 'auth'), 'securityContext'), 'seccompProfile'),
  'each workload has a service account of its own, without a token': (m) =>
    put(one(m, 'ServiceAccount', 'auth'), 'automountServiceAccountToken', true),
  'no host path, network, pid or privileged container': (m) => put(podSpec(m, 'auth'), 'hostNetwork', true),
  'requests and limits stand on every container': (m) =>
    put(field(containerOf(m, 'auth'), 'resources', 'limits'), 'memory'),
  'the heap leaves a quarter of the memory limit': (m) =>
    put(field(containerOf(m, 'auth'), 'resources', 'limits'), 'memory', '383Mi'),
  'no image is called latest': (m) => put(containerOf(m, 'auth'), 'image', 'meetmark/auth:latest'),
  'everything that scales has an autoscaler with a slow way down, and no replica count beside it': (m) =>
    put(deployment(m, 'auth')['spec'], 'replicas', 2),
  'the pools of all replicas, old and new ones in a rollout, leave ten connections of the database': (m) =>
    put(one(m, 'HorizontalPodAutoscaler', 'events')['spec'], 'maxReplicas', 12),
  'a disruption takes one pod at a time': (m) =>
    put(one(m, 'PodDisruptionBudget', 'auth')['spec'], 'minAvailable', 2),
  'replicas spread over hosts and zones by their own labels': (m) =>
    put(podOf(deployment(m, 'auth'))?.metadata?.labels, 'app.kubernetes.io/name', 'other'),
  'a rollout never has fewer pods than before': (m) =>
    put(field(deployment(m, 'auth'), 'spec', 'strategy', 'rollingUpdate'), 'maxUnavailable', 1),
  'the gateway comes before the services, and these before the worker': (m) =>
    put(one(m, 'PriorityClass', 'meetmark-worker'), 'value', 1_000_000),
  'probes ask the right question, patiently': (m) =>
    put(field(containerOf(m, 'auth'), 'livenessProbe', 'httpGet'), 'path', '/readyz'),
  'each process has the time to stop that it needs': (m) =>
    put(podSpec(m, 'worker'), 'terminationGracePeriodSeconds', 30),
  'the migration is a job that gives up': (m) => put(one(m, 'Job', 'migrate')['spec'], 'backoffLimit'),
  'nothing talks without an edge that allows it': (m) =>
    put(one(m, 'NetworkPolicy', 'default-deny').metadata, 'name', 'gone'),
  'secrets come by reference, and stand in no ConfigMap': (m) =>
    put(one(m, 'ConfigMap', 'meetmark')['data'], 'SESSION_SECRETS', 'plain'),
  'whatever comes in from outside comes by TLS, in a bounded body, from one known proxy': (m) =>
    put(one(m, 'Service', 'gateway')['spec'], 'type', 'NodePort'),
};

describe.each(Object.keys(rules))('%s', (name) => {
  const problems = (manifests: Manifest[]) => rules[name]?.(manifests);

  it('holds in both overlays', () => {
    expect(problems(local)).toEqual([]);
    expect(problems(production)).toEqual([]);
  });

  it('is found out when it does not hold', () => {
    const spoilt = structuredClone(local);
    faults[name]?.(spoilt);
    expect(problems(spoilt)).not.toEqual([]);
  });
});

describe('the ingress', () => {
  const rule = 'whatever comes in from outside comes by TLS, in a bounded body, from one known proxy';
  const annotate = (name: string, value: string) => (m: Manifest[]) =>
    put(
      field(one(m, 'Ingress', 'gateway'), 'metadata', 'annotations'),
      `nginx.ingress.kubernetes.io/${name}`,
      value,
    );
  const set = (name: string, value: string) => (m: Manifest[]) =>
    put(one(m, 'ConfigMap', 'meetmark')['data'], name, value);

  it.each<[string, Fault]>([
    ['large bodies', annotate('proxy-body-size', '100m')],
    ['plain HTTP', annotate('force-ssl-redirect', 'false')],
    [
      'what controllers refuse',
      annotate('configuration-snippet', 'proxy_set_header X-Real-IP $remote_addr;'),
    ],
    ['a site that is not https', set('PUBLIC_URL', 'http://events.example.org')],
    ['two proxies where there is one', set('TRUSTED_PROXIES', '2')],
  ])('is found out when it allows %s', (_, fault) => {
    const spoilt = structuredClone(production);
    fault(spoilt);
    expect(rules[rule]?.(spoilt)).toEqual(['gateway']);
  });
});
