import { field, of, OWN, getPod, readManifests, workloads } from './manifest.js';

type Labels = Record<string, string>;
interface Peer {
  podSelector?: { matchLabels?: Labels };
  namespaceSelector?: { matchLabels?: Labels };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports: { port: number }[];
}

const local = readManifests('base', 'overlays/local');

function edges(direction: 'egress' | 'ingress', edge: (pod: string, peer: string, port: number) => string) {
  const found = of(local, 'NetworkPolicy').flatMap((policy) => {
    const selector = field<Labels | undefined>(policy, 'spec', 'podSelector', 'matchLabels') ?? {};
    const pods = workloads(local).filter((workload) =>
      Object.entries(selector).every(([key, value]) => getPod(workload)?.metadata?.labels?.[key] === value),
    );
    return (field<Rule[] | undefined>(policy, 'spec', direction) ?? []).flatMap(({ from, to, ports }) =>
      (to ?? from ?? [{}]).flatMap((peer) =>
        pods.flatMap((pod) => ports.map(({ port }) => edge(pod.metadata.name, getName(peer), port))),
      ),
    );
  });
  return [...new Set(found)].toSorted();
}

function getName({ podSelector, namespaceSelector }: Peer): string {
  const namespace = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'];
  const labels = podSelector?.matchLabels ?? {};
  return namespace ?? labels['app.kubernetes.io/name'] ?? Object.keys(labels)[0] ?? 'anyone';
}

// These tests can't show whether a cluster's network enforces the policies (docs/operations.md).
describe('the NetworkPolicies', () => {
  it('allow egress only to the required servers and DNS', () => {
    expect(edges('egress', (pod, peer, port) => `${pod}->${peer}:${port}`)).toEqual(
      [
        ...[...OWN, 'migrate', 'backup'].map((name) => `${name}->postgres:5432`),
        ...OWN.map((name) => `${name}->redis:6379`),
        'worker->mail:1025',
        ...workloads(local).map(({ metadata }) => `${metadata.name}->kube-system:53`),
      ].toSorted(),
    );
  });

  it('allow ingress only from the required peers', () => {
    expect(edges('ingress', (pod, peer, port) => `${peer}->${pod}:${port}`)).toEqual(
      [
        'ingress-nginx->gateway:8080',
        ...OWN.map((name) => `monitoring->${name}:9090`),
        'meetmark/database->postgres:5432',
        'meetmark/redis->redis:6379',
        'worker->mail:1025',
      ].toSorted(),
    );
  });
});
