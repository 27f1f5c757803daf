import { connectionsNeeded } from '../../stack/connections.js';
import { containerOf, deployment, field, of, one, OWN, selects, containers, workloads } from '../lookup.js';
import { podOf, type Manifest } from '../render.js';

/** Who reaches whom, how strangers come in, and what must not be seen. */
export const exposure: Rules = {
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
  'whatever comes in from outside comes by TLS, in a bounded body, from one known proxy': (manifests) => {
    const gateway = one(manifests, 'Service', 'gateway');
    const inside = field(gateway, 'spec', 'type') === 'ClusterIP' ? [] : ['gateway'];
    const settings = field<Record<string, string>>(one(manifests, 'ConfigMap', 'meetmark'), 'data');
    const outside = of(manifests, 'Ingress').filter((ingress) => {
      const annotations = field<Record<string, string>>(ingress, 'metadata', 'annotations') ?? {};
      const nginx = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`] ?? '';
      const hosts = field<{ host: string }[]>(ingress, 'spec', 'rules').map(({ host }) => host);
      const encrypted = field<{ hosts: string[] }[] | undefined>(ingress, 'spec', 'tls') ?? [];
      return !(
        Number(/^(\d+)m$/.exec(nginx('proxy-body-size'))?.[1]) <= 8 &&
        nginx('force-ssl-redirect') === 'true' &&
        // Controllers refuse an Ingress with a snippet unless somebody has allowed them.
        !Object.keys(annotations).some((name) => name.endsWith('-snippet')) &&
        hosts.every((host) => encrypted.some((tls) => tls.hosts.includes(host))) &&
        // The gateway sends HSTS to a site that is https.
        settings['PUBLIC_URL']?.startsWith('https://') === true &&
        settings['TRUSTED_PROXIES'] === '1'
      );
    });
    return [...inside, ...outside.map((ingress) => ingress.metadata.name)];
  },
};

/** What a pod may do to its node and to others. */
export const confinement: Rules = {
  'the namespace refuses pods that are not restricted': (manifests) =>
    one(manifests, 'Namespace', 'meetmark').metadata.labels?.['pod-security.kubernetes.io/enforce'] ===
    'restricted'
      ? []
      : ['namespace'],
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
  'the heap leaves a quarter of the memory limit': (manifests) =>
    OWN.filter((name) => {
      const options = String(field(one(manifests, 'ConfigMap', 'meetmark'), 'data', 'NODE_OPTIONS'));
      const heap = Number(/--max-old-space-size=(\d+)/.exec(options)?.[1]);
      const memory = String(field(containerOf(manifests, name), 'resources', 'limits', 'memory'));
      return !(heap <= 0.75 * Number(/^(\d+)Mi$/.exec(memory)?.[1]));
    }),
  'no image is called latest': (manifests) =>
    containers(manifests)
      .filter((c) => c.image.endsWith(':latest') || !/[:@]/.test(c.image))
      .map((c) => c.image),
};

/** Lines of the checklist, each a function from manifests to what is wrong with them, so that each can be shown to fail. */
export type Rules = Record<string, (manifests: Manifest[]) => string[]>;

/** Of the server in the local overlay, and what docs/operations.md asks of any other. */
export const MAX_CONNECTIONS = 150;

/** What keeps the system answering: replicas, rollouts, disruptions, probes, stops. */
export const availability: Rules = {
  'everything that scales has an autoscaler with a slow way down, and no replica count beside it': (
    manifests,
  ) =>
    OWN.filter((name) => {
      const scaler = of(manifests, 'HorizontalPodAutoscaler').find((m) => m.metadata.name === name);
      return !(
        field(scaler, 'spec', 'scaleTargetRef', 'name') === name &&
        Number(field(scaler, 'spec', 'minReplicas')) >= 2 &&
        Number(field(scaler, 'spec', 'maxReplicas')) >= 2 &&
        Number(field(scaler, 'spec', 'behavior', 'scaleDown', 'stabilizationWindowSeconds')) >= 300 &&
        field(deployment(manifests, name), 'spec', 'replicas') === undefined
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
          field<number>(deployment(manifests, name), 'spec', 'strategy', 'rollingUpdate', 'maxSurge'),
        pool: Number(valueOf(manifests, name, 'DATABASE_POOL_SIZE')),
      })),
    );
    return needed <= MAX_CONNECTIONS ? [] : [`${needed} > ${MAX_CONNECTIONS}`];
  },
  'a disruption takes one pod at a time': (manifests) =>
    OWN.filter((name) => {
      const budget = of(manifests, 'PodDisruptionBudget').find((m) => m.metadata.name === name);
      return !(
        field(budget, 'spec', 'maxUnavailable') === 1 &&
        field(budget, 'spec', 'minAvailable') === undefined &&
        selects(field(budget, 'spec', 'selector', 'matchLabels'), deployment(manifests, name))
      );
    }),
  'replicas spread over hosts and zones by their own labels': (manifests) =>
    OWN.filter((name) => {
      const workload = deployment(manifests, name);
      const spreads =
        field<Record<string, unknown>[]>(podOf(workload), 'spec', 'topologySpreadConstraints') ?? [];
      const keys = spreads.map((spread) => spread['topologyKey']);
      return !(
        keys.includes('kubernetes.io/hostname') &&
        keys.includes('topology.kubernetes.io/zone') &&
        spreads.every((spread) => selects(field(spread, 'labelSelector', 'matchLabels'), workload))
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
    const priority = (name: string) => {
      const className = field<string>(podOf(deployment(manifests, name)), 'spec', 'priorityClassName');
      return Number(one(manifests, 'PriorityClass', className)['value']);
    };
    return priority('gateway') > priority('auth') &&
      priority('auth') === priority('events') &&
      priority('events') > priority('worker')
      ? []
      : ['priorities'];
  },
  'probes ask the right question, patiently': (manifests) =>
    OWN.filter((name) => {
      const container = containerOf(manifests, name);
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
        field(container, 'startupProbe', 'httpGet', 'path') === '/livez' &&
        field(container, 'livenessProbe', 'httpGet', 'path') === '/livez' &&
        field(container, 'readinessProbe', 'httpGet', 'path') === '/readyz'
      );
    }),
  'each process has the time to stop that it needs': (manifests) => {
    const grace = (name: string) =>
      Number(field(podOf(deployment(manifests, name)), 'spec', 'terminationGracePeriodSeconds'));
    const preStop = field(containerOf(manifests, 'gateway'), 'lifecycle', 'preStop', 'sleep', 'seconds');
    return grace('gateway') >= 30 &&
      preStop === 5 &&
      grace('worker') >= 45 &&
      OWN.every((name) => grace(name) >= 20)
      ? []
      : ['grace'];
  },
  'the migration is a job that gives up': (manifests) => {
    const job = one(manifests, 'Job', 'migrate');
    return field(job, 'spec', 'backoffLimit') !== undefined &&
      field(podOf(job), 'spec', 'restartPolicy') === 'Never'
      ? []
      : ['migrate'];
  },
};

function valueOf(manifests: Manifest[], name: string, variable: string): string | undefined {
  const variables = field<{ name: string; value?: string }[]>(containerOf(manifests, name), 'env');
  return variables.find((each) => each.name === variable)?.value;
}
