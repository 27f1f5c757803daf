import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Output of `node --cpu-prof`. Times are microseconds of the monotonic clock. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

export interface SelfTime {
  where: string;
  share: number;
}

const NOT_WORKING = new Set(['(idle)', '(root)']);

export const profilerTime = () => Number(process.hrtime.bigint() / 1_000n);

export function readProfile(folder: string): CpuProfile {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error(`there is no profile in ${folder}`);
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
}

export function selfTimes(profile: CpuProfile, from: number, to: number) {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  let moment = profile.startTime;
  let whole = 0;
  profile.samples.forEach((sample, index) => {
    const took = profile.timeDeltas[index] ?? 0;
    moment += took;
    const { functionName, url, lineNumber } = frames.get(sample)!;
    if (moment < from || moment > to || NOT_WORKING.has(functionName)) return;
    whole += took;
    const place = parseLocation(url);
    add(
      functions,
      `${functionName || '(anonymous)'} ${url ? `${place.file}:${lineNumber + 1}` : ''}`.trim(),
      took,
    );
    add(packages, url ? place.package : functionName, took);
  });
  const sorted = (times: Map<string, number>): SelfTime[] =>
    [...times]
      .map(([where, time]) => ({ where, share: time / whole }))
      .toSorted((one, other) => other.share - one.share);
  return { functions: sorted(functions), packages: sorted(packages), busy: whole / (to - from) };
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time);
}

/** Splits a file's URL into package and path. URLs such as `node:net` aren't split. */
function parseLocation(url: string): { package: string; file: string } {
  if (url.startsWith('node:')) return { package: 'node', file: url };
  const path = url.split('/node_modules/').at(-1) ?? url;
  const [, own] = /\/((?:gateway|bench|libs\/\w+|services\/\w+)\/dist\/.*)$/.exec(path) ?? [];
  if (own !== undefined) return { package: own.slice(0, own.indexOf('/dist/')), file: own };
  const [scope = '', name = ''] = path.split('/');
  return { package: scope.startsWith('@') ? `${scope}/${name}` : scope, file: path };
}
