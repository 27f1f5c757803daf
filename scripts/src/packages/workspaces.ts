import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

interface PackageJson {
  name: string;
  workspaces?: string[];
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  bin?: string | Record<string, string>;
}

interface Source {
  file: string;
  text: string;
  /** Names of the packages that it imports. */
  imports: string[];
}

/** A package of ours: what it declares, and what its files say. */
export interface Workspace {
  folder: string;
  manifest: PackageJson;
  sources: Source[];
}

const WRITTEN_BY_US = /\.(tsx?|[cm]?js|css)$|^tsconfig.*\.json$/;
const NOT_OURS = ['node_modules', 'dist'];

/** All packages of the repository; first the root, with the files of its own folder alone. */
export function readWorkspaces(root: string): Workspace[] {
  const top = read(root, root, false);
  const folders = (top.manifest.workspaces ?? []).flatMap((pattern) => {
    const parent = path.join(root, path.dirname(pattern));
    return pattern.endsWith('/*')
      ? fs.readdirSync(parent).map((name) => path.join(parent, name))
      : [path.join(root, pattern)];
  });
  return [top, ...folders.map((folder) => read(root, folder, true))];
}

function read(root: string, folder: string, isDeep: boolean): Workspace {
  const sources = filesIn(folder, isDeep).map((file) => {
    const text = fs.readFileSync(file, 'utf8');
    const imports = /\.(tsx?|[cm]?js)$/.test(file)
      ? ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => packageOf(fileName) ?? [])
      : [];
    return { file: path.relative(root, file), text, imports };
  });
  return { folder: path.relative(root, folder), manifest: manifestIn(folder), sources };
}

function filesIn(folder: string, isDeep: boolean): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return isDeep && !NOT_OURS.includes(entry.name) ? filesIn(file, true) : [];
    return WRITTEN_BY_US.test(entry.name) ? [file] : [];
  });
}

/** `@scope/name` of `@scope/name/file`; undefined for our own files and for Node's modules. */
function packageOf(specifier: string): string | undefined {
  if (/^(\.|\/|node:|data:)/.test(specifier)) return undefined;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

const manifestIn = (folder: string) =>
  JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackageJson;

/** Imports of packages that neither the package itself nor, for tools, the root declares; as `file: package`. */
export function undeclared(workspace: Workspace, top: Workspace): string[] {
  const { manifest, sources } = workspace;
  const known = [manifest.name, ...Object.keys({ ...declaredBy(workspace), ...declaredBy(top) })];
  return sources.flatMap(({ file, imports }) =>
    imports.filter((name) => !known.includes(name)).map((name) => `${file}: ${name}`),
  );
}

/** Imports of what is shipped that an installation without development's packages does not have. */
export function missingInProduction({ manifest, sources }: Workspace): string[] {
  const known = [manifest.name, ...Object.keys(manifest.dependencies ?? {})];
  const shipped = sources.filter(({ file }) => /\/src\//.test(file) && !/\.spec\.|\/testing\//.test(file));
  return shipped.flatMap(({ file, imports }) =>
    imports.filter((name) => !known.includes(name)).map((name) => `${file}: ${name}`),
  );
}

/** Declared packages that nothing names: no file of the package, no script, no peer of another one that is declared. */
export function unused(root: string, workspace: Workspace, all: Workspace[]): string[] {
  const declared = Object.keys(declaredBy(workspace));
  const peers = declared.flatMap((name) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = installed(root, workspace.folder, name);
    return Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
  });
  return declared.filter((name) => {
    // What the root declares is for everybody who does not declare it too.
    const others = workspace.folder === '' ? all.filter((each) => !(name in declaredBy(each))) : [];
    const users = [workspace, ...others];
    return !(peers.includes(name) || users.some((user) => names(user, name) || runs(root, user, name)));
  });
}

const declaredBy = ({ manifest }: Workspace) => ({ ...manifest.dependencies, ...manifest.devDependencies });

/** Types stand in for the package that they are about. */
function names({ sources }: Workspace, name: string): boolean {
  const quoted = new RegExp(`['"\`]${name.replace(/^@types\//, '(@types/)?')}['"\`/]`);
  return sources.some(({ text }) => quoted.test(text));
}

function runs(root: string, { folder, manifest }: Workspace, name: string): boolean {
  const { bin = {} } = installed(root, folder, name);
  const programs = typeof bin === 'string' ? [name] : [name, ...Object.keys(bin)];
  const words = Object.values(manifest.scripts ?? {}).flatMap((script) => script.split(/[ /]/));
  return programs.some((program) => words.includes(program));
}

/** Its own copy, or the one for all. */
function installed(root: string, folder: string, name: string): PackageJson {
  const own = path.join(root, folder, 'node_modules', name);
  return manifestIn(fs.existsSync(own) ? own : path.join(root, 'node_modules', name));
}
