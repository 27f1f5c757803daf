import { containerOf, containers, field, of, one, OWN, workloads } from '../lookup.js';
import { podOf } from '../render.js';
import type { Rules } from './rule.js';

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
