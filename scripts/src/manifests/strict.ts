import path from 'node:path';
import ts from 'typescript-api';
import type { Manifest } from './render.js';

interface ModelClass {
  new (data: object): { validate(): void };
}

/**
 * Everything that the Kubernetes API would refuse or silently drop: kinds that do not exist, wrong types, missing fields (from the
 * OpenAPI validators of kubernetes-models) and unknown fields at any depth (from its types: each manifest is compiled as an object literal).
 * @returns one line per problem, beginning with the manifest's kind and name
 */
export async function strictProblems(manifests: Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  const known: Manifest[] = [];
  for (const manifest of manifests) {
    const model = await modelOf(manifest);
    if (model === undefined) {
      problems.push(`${nameOf(manifest)}: there is no ${manifest.apiVersion} ${manifest.kind}`);
      continue;
    }
    known.push(manifest);
    try {
      new model(manifest).validate();
    } catch (error) {
      problems.push(`${nameOf(manifest)}: ${(error as Error).message}`);
    }
  }
  return [...problems, ...unknownFields(known)];
}

const nameOf = (manifest: Manifest) => `${manifest.kind}/${manifest.metadata.name}`;
const moduleOf = (manifest: Manifest) => `kubernetes-models/${manifest.apiVersion}/${manifest.kind}`;

async function modelOf(manifest: Manifest): Promise<ModelClass | undefined> {
  try {
    const module = (await import(moduleOf(manifest))) as Record<string, ModelClass>;
    return module[manifest.kind];
  } catch (error) {
    if (/cannot find|not found|not exported/i.test((error as Error).message)) return undefined;
    throw error;
  }
}

function unknownFields(manifests: Manifest[]): string[] {
  const owners: string[] = [];
  let source = '';
  for (const manifest of manifests) {
    const model = JSON.stringify(moduleOf(manifest));
    const text = `{ const manifest: import(${model}).I${manifest.kind} = ${JSON.stringify(manifest, null, 1)}; void manifest; }\n`;
    source += text;
    owners.push(...text.trimEnd().split('\n').fill(nameOf(manifest)));
  }
  const file = path.join(import.meta.dirname, 'manifests-as-typescript.ts');
  return compile(file, `${source}export {};\n`).map(
    ({ line, message }) => `${owners[line] ?? 'types'}: ${message}`,
  );
}

function compile(file: string, source: string): { line: number; message: string }[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, source, version) : getSourceFile.call(host, name, version);
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  return ts.getPreEmitDiagnostics(ts.createProgram([file], options, host)).map((diagnostic) => ({
    line: diagnostic.file?.fileName === file ? lineOf(diagnostic.file, diagnostic.start ?? 0) : -1,
    message: innermost(diagnostic.messageText),
  }));
}

const lineOf = (file: ts.SourceFile, position: number) => file.getLineAndCharacterOfPosition(position).line;

function innermost(message: string | ts.DiagnosticMessageChain): string {
  if (typeof message === 'string') return message;
  const next = message.next?.at(-1);
  return next === undefined ? message.messageText : innermost(next);
}
