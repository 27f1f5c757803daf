import { connectionsNeeded } from '../../stack/connections.js';
import { containerOf, deployment, field, of, one, OWN, selects } from '../lookup.js';
import { podOf, type Manifest } from '../render.js';
import type { Rules } from './rule.js';

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
