import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { ProcessName } from '../stack/processes.js';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [field: string]: unknown;
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

export const OWN: ProcessName[] = ['gateway', 'auth', 'events', 'admin', 'worker'];

const ROOT = path.resolve(import.meta.dirname, '../../..');
const K8S = path.join(ROOT, 'k8s');

/** @param file path from the repository's root */
export const readText = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

interface ComposeService {
  command?: string[];
  environment?: Record<string, string | number>;
  networks: string[];
  ports?: string[];
  [field: string]: unknown;
}
interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean; driver_opts?: object } | null>;
}

export const readCompose = (file = 'docker-compose.yml'): ComposeFile =>
  parse(readText(file), { merge: true, logLevel: 'error' }) as ComposeFile;

export const readManifests = (...folders: string[]): Manifest[] =>
  folders.flatMap((folder) =>
    listFiles(folder).flatMap((file) => parseManifests(readFileSync(path.join(K8S, folder, file), 'utf8'))),
  );

export const listFiles = (folder: string): string[] =>
  readdirSync(path.join(K8S, folder)).filter(
    (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
  );

/** @throws Error with the line of a YAML error or duplicate key */
export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem !== undefined) throw problem;
    return document.toJS() as Manifest;
  });

export const field = <T>(value: unknown, ...keys: (string | number)[]): T =>
  keys.reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
    value,
  ) as T;

export const of = (manifests: Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind);

export function one(manifests: Manifest[], kind: string, name: string): Manifest {
  const found = of(manifests, kind).find((manifest) => manifest.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

export const getPod = (manifest: Manifest): PodTemplate | undefined =>
  manifest.kind === 'Pod'
    ? (manifest as unknown as PodTemplate)
    : (field(manifest, 'spec', 'jobTemplate', 'spec', 'template') ?? field(manifest, 'spec', 'template'));

export const workloads = (manifests: Manifest[]) => manifests.filter((manifest) => getPod(manifest));

export const containers = (manifests: Manifest[]): Container[] =>
  workloads(manifests).flatMap((manifest) => {
    const { containers: main, initContainers = [] } = getPod(manifest)!.spec;
    return [...main, ...initContainers];
  });

export const getContainer = (manifests: Manifest[], name: string): Container =>
  getPod(one(manifests, 'Deployment', name))!.spec.containers[0]!;
