import { connectionsNeeded } from '../stack/connections.js';
import {
  getContainer,
  containers,
  field,
  of,
  one,
  OWN,
  getPod,
  readManifests,
  workloads,
} from './manifest.js';

const local = readManifests('base', 'overlays/local', '.');
const production = readManifests('overlays/production');
/** PostgreSQL's max_connections in docs/operations.md and in the local overlay. */
const MAX_CONNECTIONS = 150;
const deployment = (name: string) => one(local, 'Deployment', name);
const data = field<Record<string, string>>(one(local, 'ConfigMap', 'meetmark'), 'data');

it('the namespace enforces the pod security standard “restricted”', () => {
  const { labels } = one(local, 'Namespace', 'meetmark').metadata;
  expect(labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
});

describe.each(workloads(local).map((manifest) => [manifest.metadata.name, manifest] as const))(
  'the manifest of %s',
  (name, manifest) => {
    it('gives the pod no privileges and no service account token', () => {
      const { spec } = getPod(manifest)!;
      expect(spec).toMatchObject({
        serviceAccountName: name,
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(field(spec, 'securityContext', 'runAsUser')).toBeGreaterThanOrEqual(999);
      expect(one(local, 'ServiceAccount', name)).toMatchObject({ automountServiceAccountToken: false });
      expect(JSON.stringify(spec)).not.toMatch(/"host(Path|Network|PID|IPC|Port)"|"privileged":true/);
    });

    it('limits the pod’s memory and disk and drops all capabilities', () => {
      for (const container of containers([manifest])) {
        expect(container).toMatchObject({
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          resources: {
            requests: { cpu: expect.anything(), memory: expect.anything() },
            limits: { memory: expect.anything(), 'ephemeral-storage': expect.anything() },
          },
        });
        // In the base manifests, our own images have no tag. The overlays set it.
        expect(container.image).toMatch(/^meetmark\/\w+$|:(?!latest$)|@/);
      }
      for (const volume of field<object[] | undefined>(getPod(manifest), 'spec', 'volumes') ?? [])
        if ('emptyDir' in volume) expect(volume.emptyDir).toHaveProperty('sizeLimit');
    });

    it('passes secrets to the pod only by reference', () => {
      type Variables = { name: string; value?: string }[];
      const plain = containers([manifest])
        .flatMap((container) => field<Variables | undefined>(container, 'env') ?? [])
        .filter(({ value }) => value !== undefined);
      const secret = /PASSWORD|SECRET|DATABASE_URL|REDIS_URL|SMTP_URL/;
      expect(plain.filter((variable) => secret.test(variable.name))).toEqual([]);
    });
  },
);

it('no ConfigMap contains a secret', () => {
  const entries = of(local, 'ConfigMap').flatMap((map) => Object.entries(field<object>(map, 'data')));
  const secret = entries.filter(
    ([name, value]) => /PASSWORD|SECRET/.test(name) || /:\/\/[^/"]+:[^/"]+@|^user .* >/m.test(String(value)),
  );
  expect(secret).toEqual([]);
});

describe.each(OWN)('%s', (name) => {
  it('scales automatically and keeps all pods during a rollout', () => {
    const matchLabels = { 'app.kubernetes.io/name': name };
    const scaler = one(local, 'HorizontalPodAutoscaler', name);
    expect(field(scaler, 'spec', 'scaleTargetRef', 'name')).toBe(name);
    expect(field(scaler, 'spec', 'minReplicas')).toBeGreaterThanOrEqual(2);
    const wait = field(scaler, 'spec', 'behavior', 'scaleDown', 'stabilizationWindowSeconds');
    expect(wait).toBeGreaterThanOrEqual(300);
    expect(field(deployment(name), 'spec', 'replicas')).toBeUndefined();
    expect(deployment(name)).toMatchObject({
      spec: {
        minReadySeconds: expect.any(Number),
        progressDeadlineSeconds: expect.any(Number),
        strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        template: { metadata: { labels: matchLabels } },
      },
    });
    expect(one(local, 'PodDisruptionBudget', name)).toMatchObject({
      spec: { maxUnavailable: 1, selector: { matchLabels } },
    });
    const spread = field(getPod(deployment(name)), 'spec', 'topologySpreadConstraints');
    expect(spread).toMatchObject(
      ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
        ...{ topologyKey, labelSelector: { matchLabels } },
      })),
    );
  });

  it('has lenient probes, a grace period and a heap within its memory limit', () => {
    const container = getContainer(local, name);
    const probe = (kind: string) =>
      field<{ timeoutSeconds: number; failureThreshold: number; periodSeconds: number }>(container, kind);
    for (const kind of ['livenessProbe', 'readinessProbe']) {
      expect(probe(kind).timeoutSeconds).toBeGreaterThanOrEqual(2);
      expect(probe(kind).failureThreshold).toBeGreaterThanOrEqual(3);
    }
    const { periodSeconds, failureThreshold } = probe('startupProbe');
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(60);
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: '/livez' } },
      livenessProbe: { httpGet: { path: '/livez' } },
      readinessProbe: { httpGet: { path: '/readyz' } },
    });
    const seconds = { gateway: 30, worker: 45 }[name as string] ?? 20;
    const grace = field(getPod(deployment(name)), 'spec', 'terminationGracePeriodSeconds');
    expect(grace).toBeGreaterThanOrEqual(seconds);
    if (name === 'gateway')
      expect(container).toMatchObject({ lifecycle: { preStop: { sleep: { seconds: 5 } } } });
    const heap = Number(/--max-old-space-size=(\d+)/.exec(data['NODE_OPTIONS'] ?? '')?.[1]);
    const [, memory] = /^(\d+)Mi$/.exec(field(container, 'resources', 'limits', 'memory')) ?? [];
    expect(heap).toBeLessThanOrEqual(0.75 * Number(memory));
  });
});

it('the database has enough connections for all replicas during a rollout', () => {
  const processes = OWN.map((name) => {
    const variables = field<{ name: string; value?: string }[]>(getContainer(local, name), 'env');
    const pool = Number(variables.find((each) => each.name === 'DATABASE_POOL_SIZE')?.value);
    const scaler = one(local, 'HorizontalPodAutoscaler', name);
    return { name, pool, replicas: field<number>(scaler, 'spec', 'maxReplicas') + 1 };
  });
  expect(connectionsNeeded(processes)).toBeLessThanOrEqual(MAX_CONNECTIONS);
  const [server] = containers([one(local, 'StatefulSet', 'postgres')]);
  expect(field(server, 'args')).toEqual(expect.arrayContaining([`max_connections=${MAX_CONNECTIONS}`]));
});

it('priority classes rank the gateway first, then the services, then the worker', () => {
  const [gateway, auth, events, worker] = ['gateway', 'auth', 'events', 'worker'].map((name) => {
    const priority = field<string>(getPod(deployment(name)), 'spec', 'priorityClassName');
    return Number(one(local, 'PriorityClass', priority)['value']);
  });
  expect(auth).toBe(events);
  expect([gateway, auth, worker].toSorted((a, b) => b! - a!)).toEqual([gateway, auth, worker]);
});

it('the migration job limits its retries', () => {
  expect(one(local, 'Job', 'migrate')).toMatchObject({
    spec: { backoffLimit: expect.any(Number), template: { spec: { restartPolicy: 'Never' } } },
  });
});

it('only the gateway is public, with TLS, a body limit and one trusted proxy', () => {
  expect(one(local, 'Service', 'gateway')).toMatchObject({ spec: { type: 'ClusterIP' } });
  expect(field(one(local, 'NetworkPolicy', 'default-deny'), 'spec')).toEqual({
    ...{ podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
  });
  const { metadata, spec } = one(production, 'Ingress', 'gateway');
  const annotations = field<Record<string, string>>(metadata, 'annotations');
  expect(annotations['nginx.ingress.kubernetes.io/force-ssl-redirect']).toBe('true');
  expect(annotations['nginx.ingress.kubernetes.io/proxy-body-size']).toMatch(/^[1-8]m$/);
  expect(Object.keys(annotations).filter((each) => each.endsWith('-snippet'))).toEqual([]);
  const hosts = field<{ host: string }[]>(spec, 'rules').map(({ host }) => host);
  expect(field<{ hosts: string[] }[]>(spec, 'tls').flatMap((tls) => tls.hosts)).toEqual(hosts);
  expect(one(production, 'ConfigMap', 'meetmark')).toMatchObject({
    data: { PUBLIC_URL: expect.stringMatching(/^https:/), TRUSTED_PROXIES: '1' },
  });
});
