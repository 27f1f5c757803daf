import { field, of, selects, workloads } from './lookup.js';
import type { Manifest } from './render.js';

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

/** Every edge that the policies let a pod begin, as `pod->peer:port`. */
export const outgoing = (manifests: Manifest[]) =>
  edges(manifests, 'egress', (pod, peer, port) => `${pod}->${peer}:${port}`);

/** Every edge that the policies let a pod accept, as `peer->pod:port`. */
export const incoming = (manifests: Manifest[]) =>
  edges(manifests, 'ingress', (pod, peer, port) => `${peer}->${pod}:${port}`);

function edges(
  manifests: Manifest[],
  direction: 'egress' | 'ingress',
  edge: (pod: string, peer: string, port: number) => string,
): string[] {
  const found = of(manifests, 'NetworkPolicy').flatMap((policy) => {
    const selector = field<Labels | undefined>(policy, 'spec', 'podSelector', 'matchLabels');
    const pods = workloads(manifests).filter((workload) => selects(selector, workload));
    const rules = field<Rule[] | undefined>(policy, 'spec', direction) ?? [];
    return rules.flatMap(({ from, to, ports }) =>
      // a rule without peers means everybody
      (to ?? from ?? [{}]).flatMap((peer) =>
        pods.flatMap((pod) => ports.map(({ port }) => edge(pod.metadata.name, nameOf(peer), port))),
      ),
    );
  });
  return [...new Set(found)].toSorted();
}

/** A pod's name, another namespace's, or a label that several pods have. */
function nameOf({ podSelector, namespaceSelector }: Peer): string {
  const namespace = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'];
  const labels = podSelector?.matchLabels ?? {};
  return namespace ?? labels['app.kubernetes.io/name'] ?? Object.keys(labels)[0] ?? 'anybody';
}
