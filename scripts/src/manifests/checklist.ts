import { connectionsNeeded } from '../stack/connections.js';
import type { ProcessName } from '../stack/processes.js';
import { containersOf, podOf, type Container, type Manifest } from './render.js';

/** The processes of ours that scale. */
export const OWN: ProcessName[] = ['gateway', 'auth', 'events', 'admin', 'worker'];
/** Of the server in the local overlay, and what docs/operations.md asks of any other. */
export const MAX_CONNECTIONS = 150;

export const of = (manifests: Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind);
export const one = (manifests: Manifest[], kind: string, name: string) => {
  const found = of(manifests, kind).find((manifest) => manifest.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};
export const workloads = (manifests: Manifest[]) =>
  manifests.filter((manifest) => podOf(manifest) !== undefined);
export const field = <T>(value: unknown, ...keys: (string | number)[]): T =>
  keys.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
    value,
  ) as T;
/** Each line of the checklist as a function from manifests to what is wrong, so that each can be shown to fail. */
export const rules: Record<string, (manifests: Manifest[]) => string[]> = {
  'pods run as a numbered user who is not root': (manifests) =>
    workloads(manifests)
      .filter((m) => {
        const context = field<Record<string, unknown>>(podOf(m), 'spec', 'securityContext');
        return context?.['runAsNonRoot'] !== true || !(Number(context['runAsUser']) >= 999);
      })
      .map((m) => m.metadata.name),
  'containers have a read-only root, no privileges and no capabilities': (manifests) =>
    containers(manifests)
      .filter((c) => {
        const context = field<Record<string, unknown>>(c, 'securityContext');
        return !(
          context?.['readOnlyRootFilesystem'] === true &&
          context['allowPrivilegeEscalation'] === false &&
          String(field(context, 'capabilities', 'drop')) === 'ALL'
        );
      })
      .map((c) => c.name),
  'writable folders have a size limit': (manifests) =>
    workloads(manifests).flatMap((m) =>
      (field<Record<string, unknown>[] | undefined>(podOf(m), 'spec', 'volumes') ?? [])
        .filter((volume) => 'emptyDir' in volume && field(volume, 'emptyDir', 'sizeLimit') === undefined)
        .map((volume) => `${m.metadata.name}/${String(volume['name'])}`),
    ),
  'pods use the default seccomp profile': (manifests) =>
    workloads(manifests)
      .filter(
        (m) => field(podOf(m), 'spec', 'securityContext', 'seccompProfile', 'type') !== 'RuntimeDefault',
      )
      .map((m) => m.metadata.name),
  'each workload has a service account of its own, without a token': (manifests) =>
    workloads(manifests)
      .filter((m) => {
        const account = of(manifests, 'ServiceAccount').find((a) => a.metadata.name === m.metadata.name);
        return !(
          field(podOf(m), 'spec', 'serviceAccountName') === m.metadata.name &&
          field(podOf(m), 'spec', 'automountServiceAccountToken') === false &&
          account?.['automountServiceAccountToken'] === false
        );
      })
      .map((m) => m.metadata.name),
  'no host path, network, pid or privileged container': (manifests) =>
    workloads(manifests)
      .filter((m) => /"host(Path|Network|PID|IPC|Port)"|"privileged":true/.test(JSON.stringify(m)))
      .map((m) => m.metadata.name),
  'requests and limits stand on every container': (manifests) =>
    containers(manifests)
      .filter(
        (c) =>
          field(c, 'resources', 'requests', 'cpu') === undefined ||
          field(c, 'resources', 'requests', 'memory') === undefined ||
          field(c, 'resources', 'limits', 'memory') === undefined ||
          field(c, 'resources', 'limits', 'ephemeral-storage') === undefined,
      )
      .map((c) => c.name),
  'everything that scales has an autoscaler with a slow way down, and no replica count beside it': (
    manifests,
  ) =>
    OWN.filter((name) => {
      const scaler = of(manifests, 'HorizontalPodAutoscaler').find((m) => m.metadata.name === name);
      return !(
        Number(field(scaler, 'spec', 'minReplicas')) >= 2 &&
        Number(field(scaler, 'spec', 'maxReplicas')) >= 2 &&
        Number(field(scaler, 'spec', 'behavior', 'scaleDown', 'stabilizationWindowSeconds')) >= 300 &&
        field(one(manifests, 'Deployment', name), 'spec', 'replicas') === undefined
      );
    }),
  'the pools of all replicas, old and new ones in a rollout, leave ten connections of the database': (
    manifests,
  ) => {
    const needed = connectionsNeeded(
      OWN.map((name) => ({
        name,
        replicas:
          field<number>(one(manifests, 'HorizontalPodAutoscaler', name), 'spec', 'maxReplicas') +
          field<number>(one(manifests, 'Deployment', name), 'spec', 'strategy', 'rollingUpdate', 'maxSurge'),
        pool: Number(environment(manifests, name)['DATABASE_POOL_SIZE']),
      })),
    );
    return needed <= MAX_CONNECTIONS ? [] : [`${needed} > ${MAX_CONNECTIONS}`];
  },
  'a disruption takes one pod at a time': (manifests) =>
    OWN.filter((name) => {
      const budget = of(manifests, 'PodDisruptionBudget').find((m) => m.metadata.name === name);
      return (
        field(budget, 'spec', 'maxUnavailable') !== 1 || field(budget, 'spec', 'minAvailable') !== undefined
      );
    }),
  'replicas spread over hosts and zones by their own labels': (manifests) =>
    OWN.filter((name) => {
      const pod = podOf(one(manifests, 'Deployment', name));
      const spreads = field<Record<string, unknown>[]>(pod, 'spec', 'topologySpreadConstraints') ?? [];
      const keys = spreads.map((spread) => spread['topologyKey']);
      const labels = pod?.metadata?.labels ?? {};
      return !(
        keys.includes('kubernetes.io/hostname') &&
        keys.includes('topology.kubernetes.io/zone') &&
        spreads.every((spread) =>
          Object.entries(field<Record<string, string>>(spread, 'labelSelector', 'matchLabels')).every(
            ([key, value]) => labels[key] === value,
          ),
        )
      );
    }),
  'a rollout never has fewer pods than before': (manifests) =>
    of(manifests, 'Deployment')
      .filter(
        (m) =>
          field(m, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable') !== 0 ||
          field(m, 'spec', 'strategy', 'rollingUpdate', 'maxSurge') !== 1 ||
          !(Number(field(m, 'spec', 'minReadySeconds')) >= 5) ||
          field(m, 'spec', 'progressDeadlineSeconds') === undefined,
      )
      .map((m) => m.metadata.name),
  'the gateway comes before the services, and these before the worker': (manifests) => {
    const priority = (name: string) =>
      Number(
        one(
          manifests,
          'PriorityClass',
          String(field(podOf(one(manifests, 'Deployment', name)), 'spec', 'priorityClassName')),
        )['value'],
      );
    return priority('gateway') > priority('auth') &&
      priority('auth') === priority('events') &&
      priority('events') > priority('worker')
      ? []
      : ['priorities'];
  },
  'probes ask the right question, patiently': (manifests) =>
    OWN.filter((name) => {
      const container = containersOf(one(manifests, 'Deployment', name))[0];
      const patient = ['livenessProbe', 'readinessProbe'].every(
        (probe) =>
          Number(field(container, probe, 'timeoutSeconds')) >= 2 &&
          Number(field(container, probe, 'failureThreshold')) >= 3,
      );
      const startup =
        Number(field(container, 'startupProbe', 'periodSeconds')) *
        Number(field(container, 'startupProbe', 'failureThreshold'));
      return !(
        patient &&
        startup >= 60 &&
        field(container, 'livenessProbe', 'httpGet', 'path') === '/livez' &&
        field(container, 'readinessProbe', 'httpGet', 'path') === '/readyz'
      );
    }),
  'each process has the time to stop that it needs': (manifests) => {
    const grace = (name: string) =>
      Number(field(podOf(one(manifests, 'Deployment', name)), 'spec', 'terminationGracePeriodSeconds'));
    const preStop = field(
      containersOf(one(manifests, 'Deployment', 'gateway'))[0],
      'lifecycle',
      'preStop',
      'sleep',
      'seconds',
    );
    return grace('gateway') >= 30 &&
      preStop === 5 &&
      grace('worker') >= 45 &&
      OWN.every((name) => grace(name) >= 20)
      ? []
      : ['grace'];
  },
  'nothing talks without an edge that allows it': (manifests) => {
    const denied = of(manifests, 'NetworkPolicy').find((m) => m.metadata.name === 'default-deny');
    return String(field(denied, 'spec', 'policyTypes')) === 'Ingress,Egress' &&
      Object.keys(field<object>(denied, 'spec', 'podSelector') ?? { missing: true }).length === 0
      ? []
      : ['default-deny'];
  },
  'secrets come by reference, and stand in no ConfigMap': (manifests) => [
    ...containers(manifests).flatMap((c) =>
      (field<{ name: string; value?: string }[] | undefined>(c, 'env') ?? [])
        .filter(
          (variable) =>
            /PASSWORD|SECRET|DATABASE_URL|REDIS_URL|SMTP_URL/.test(variable.name) &&
            variable.value !== undefined,
        )
        .map((variable) => `${c.name}/${variable.name}`),
    ),
    ...of(manifests, 'ConfigMap')
      .filter((m) =>
        Object.entries(field<Record<string, string> | undefined>(m, 'data') ?? {}).some(
          ([name, value]) => /PASSWORD|SECRET/.test(name) || /:\/\/[^/"]+:[^/"]+@|^user .* >/m.test(value),
        ),
      )
      .map((m) => m.metadata.name),
  ],
  'the migration is a job that gives up': (manifests) => {
    const job = one(manifests, 'Job', 'migrate');
    return field(job, 'spec', 'backoffLimit') !== undefined &&
      field(podOf(job), 'spec', 'restartPolicy') === 'Never'
      ? []
      : ['migrate'];
  },
  'the namespace refuses pods that are not restricted': (manifests) =>
    one(manifests, 'Namespace', 'meetmark').metadata.labels?.['pod-security.kubernetes.io/enforce'] ===
    'restricted'
      ? []
      : ['namespace'],
  'the heap leaves a quarter of the memory limit': (manifests) =>
    OWN.filter((name) => {
      const options = String(field(one(manifests, 'ConfigMap', 'meetmark'), 'data', 'NODE_OPTIONS'));
      const heap = Number(/--max-old-space-size=(\d+)/.exec(options)?.[1]);
      const container = containersOf(one(manifests, 'Deployment', name))[0];
      const limit = /^(\d+)Mi$/.exec(String(field(container, 'resources', 'limits', 'memory')))?.[1];
      return !(heap <= 0.75 * Number(limit));
    }),
  'whatever comes in from outside comes by TLS, in a bounded body, from one known proxy': (manifests) => {
    const gateway = one(manifests, 'Service', 'gateway');
    const inside = field(gateway, 'spec', 'type') === 'ClusterIP' ? [] : ['gateway'];
    const outside = of(manifests, 'Ingress').filter((ingress) => {
      const annotations = field<Record<string, string>>(ingress, 'metadata', 'annotations') ?? {};
      const nginx = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`] ?? '';
      const hosts = field<{ host: string }[]>(ingress, 'spec', 'rules').map(({ host }) => host);
      const encrypted = field<{ hosts: string[] }[] | undefined>(ingress, 'spec', 'tls') ?? [];
      return !(
        Number(/^(\d+)m$/.exec(nginx('proxy-body-size'))?.[1]) <= 8 &&
        nginx('hsts') === 'true' &&
        nginx('force-ssl-redirect') === 'true' &&
        nginx('configuration-snippet').includes('proxy_set_header X-Forwarded-For $remote_addr;') &&
        hosts.every((host) => encrypted.some((tls) => tls.hosts.includes(host))) &&
        field(one(manifests, 'ConfigMap', 'meetmark'), 'data', 'TRUSTED_PROXIES') === '1'
      );
    });
    return [...inside, ...outside.map((ingress) => ingress.metadata.name)];
  },
  'no image is called latest': (manifests) =>
    containers(manifests)
      .filter((c) => c.image.endsWith(':latest') || !/[:@]/.test(c.image))
      .map((c) => c.image),
};

export const containers = (manifests: Manifest[]): Container[] => workloads(manifests).flatMap(containersOf);

function environment(manifests: Manifest[], name: string): Record<string, string> {
  const variables = field<{ name: string; value?: string }[]>(
    containersOf(one(manifests, 'Deployment', name))[0],
    'env',
  );
  return Object.fromEntries(variables.map(({ name: key, value }) => [key, value ?? '']));
}
