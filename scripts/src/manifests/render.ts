import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** A Kubernetes object as the manifests write it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [field: string]: unknown;
}

interface Image {
  name: string;
  newName?: string;
  newTag?: string;
  digest?: string;
}

interface Kustomization {
  namespace?: string;
  resources?: string[];
  patches?: { path: string }[];
  images?: Image[];
}

const KNOWN_FIELDS = new Set(['apiVersion', 'kind', 'namespace', 'resources', 'patches', 'images']);
/** Kinds that belong to no namespace. */
const CLUSTER_WIDE = new Set(['Namespace', 'PriorityClass']);

/**
 * What `kubectl kustomize <folder>` gives, for the part of Kustomize that our overlays use: resources, namespace, images and patches (files
 * with maps to merge, without lists). Anything else is refused, so that nothing is checked that differs from what is applied.
 * @throws Error naming the file, when a field is not known or a file is not strict YAML
 */
export function render(folder: string): Manifest[] {
  const file = path.join(folder, 'kustomization.yaml');
  const kustomization = parse(readFileSync(file, 'utf8'), { uniqueKeys: true }) as Kustomization;
  const unknown = Object.keys(kustomization).filter((field) => !KNOWN_FIELDS.has(field));
  if (unknown.length > 0) throw new Error(`${file}: the renderer does not know ${unknown.join(', ')}`);
  const manifests = (kustomization.resources ?? []).flatMap((resource) => {
    const target = path.join(folder, resource);
    return resource.endsWith('.yaml') ? readManifests(target) : render(target);
  });
  for (const patch of kustomization.patches ?? []) applyPatch(manifests, path.join(folder, patch.path));
  for (const manifest of manifests) {
    if (kustomization.namespace !== undefined && !CLUSTER_WIDE.has(manifest.kind))
      manifest.metadata.namespace = kustomization.namespace;
    for (const container of containersOf(manifest)) rename(container, kustomization.images ?? []);
  }
  return manifests;
}

/** @throws Error with file and line when the YAML has a mistake or a key twice */
function readManifests(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(file, 'utf8'), { strict: true, uniqueKeys: true }).map((document) => {
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem !== undefined) throw new Error(`${file}: ${problem.message}`);
    return document.toJS() as Manifest;
  });
}

export interface Container {
  name: string;
  image: string;
  [field: string]: unknown;
}

interface PodTemplate {
  metadata?: { labels?: Record<string, string> };
  spec: { containers: Container[]; initContainers?: Container[]; [field: string]: unknown };
}

/** The pod that a workload runs; undefined for everything that runs none. */
export function podOf(manifest: Manifest): PodTemplate | undefined {
  return (manifest.spec as { template?: PodTemplate } | undefined)?.template;
}

export function containersOf(manifest: Manifest): Container[] {
  const spec = podOf(manifest)?.spec;
  return spec === undefined ? [] : [...spec.containers, ...(spec.initContainers ?? [])];
}

function rename(container: Container, images: Image[]): void {
  const [name = '', tag] = container.image.split(':');
  const image = images.find((candidate) => candidate.name === name);
  if (image === undefined) return;
  const newTag = image.newTag ?? tag;
  const suffix = image.digest !== undefined ? `@${image.digest}` : newTag !== undefined ? `:${newTag}` : '';
  container.image = `${image.newName ?? name}${suffix}`;
}

function applyPatch(manifests: Manifest[], file: string): void {
  const patch = parse(readFileSync(file, 'utf8')) as Manifest;
  const target = manifests.find(
    ({ kind, metadata }) => kind === patch.kind && metadata.name === patch.metadata.name,
  );
  if (target === undefined) throw new Error(`${file}: no ${patch.kind} ${patch.metadata.name} to patch`);
  merge(target, patch);
}

function merge(target: Record<string, unknown>, source: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(source)) {
    if (Array.isArray(value)) throw new Error(`merging the list ${key} is not what Kustomize would do`);
    const present = target[key];
    if (isMap(value) && isMap(present)) merge(present, value);
    else target[key] = value;
  }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
