import type { ProcessName } from '../stack/processes.js';
import { containersOf, podOf, type Container, type Manifest } from './render.js';

/** The processes of ours that scale. */
export const OWN: ProcessName[] = ['gateway', 'auth', 'events', 'admin', 'worker'];

export const of = (manifests: Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind);

/** @throws Error when there is none */
export const one = (manifests: Manifest[], kind: string, name: string) => {
  const found = of(manifests, kind).find((manifest) => manifest.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};

export const deployment = (manifests: Manifest[], name: string) => one(manifests, 'Deployment', name);

/** Everything that runs pods. */
export const workloads = (manifests: Manifest[]) =>
  manifests.filter((manifest) => podOf(manifest) !== undefined);

export const containers = (manifests: Manifest[]): Container[] => workloads(manifests).flatMap(containersOf);

/** @throws Error when the process has no container */
export function containerOf(manifests: Manifest[], name: string): Container {
  const [container] = containersOf(deployment(manifests, name));
  if (container === undefined) throw new Error(`${name} has no container`);
  return container;
}

/** What stands at the end of the keys; undefined when one of them is missing on the way. */
export const field = <T>(value: unknown, ...keys: (string | number)[]): T =>
  keys.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
    value,
  ) as T;

/** True when a selector finds the pods of a workload. */
export function selects(selector: Record<string, string> | undefined, workload: Manifest): boolean {
  const labels = podOf(workload)?.metadata?.labels ?? {};
  return Object.entries(selector ?? {}).every(([key, value]) => labels[key] === value);
}
