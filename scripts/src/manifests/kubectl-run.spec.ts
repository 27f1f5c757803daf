import { readFileSync } from 'node:fs';
import path from 'node:path';
import { field, OWN } from './lookup.js';

const OPERATIONS = path.resolve(import.meta.dirname, '../../../docs/operations.md');
const operations = readFileSync(OPERATIONS, 'utf8');

/** The commands of a document that match, each with its continuation lines. */
const commandsIn = (text: string, pattern: RegExp) =>
  [...text.replaceAll(/\\\n\s*/g, '').matchAll(/kubectl [^\n`]*/g)]
    .map(([command]) => command)
    .filter((command) => pattern.test(command));
const podsRunIn = (text: string) => commandsIn(text, /^kubectl (.* )?-n meetmark (.* )?run /);

/** What the pod standard `restricted`, which the namespace enforces, refuses about the pod of a `kubectl run`. */
function refusedByRestricted(command: string): string[] {
  const [, overrides = '{}'] = /--overrides[= ]'([^']*)'/.exec(command) ?? [];
  const [, name] = / run ([\w-]+)/.exec(command) ?? [];
  const spec = field<object>(JSON.parse(overrides), 'spec');
  const containers = field<{ name: string }[] | undefined>(spec, 'containers') ?? [];
  const container = containers.find((each) => each.name === name);
  const holds: Record<string, boolean> = {
    'kubectl merges containers by name': command.includes('--override-type=strategic'),
    runAsNonRoot: field(spec, 'securityContext', 'runAsNonRoot') === true,
    runAsUser: Number(field(spec, 'securityContext', 'runAsUser')) > 0,
    seccompProfile: field(spec, 'securityContext', 'seccompProfile', 'type') === 'RuntimeDefault',
    allowPrivilegeEscalation: field(container, 'securityContext', 'allowPrivilegeEscalation') === false,
    capabilities: String(field(container, 'securityContext', 'capabilities', 'drop')) === 'ALL',
  };
  return Object.keys(holds).filter((rule) => !holds[rule]);
}

describe('the commands of docs/operations.md', () => {
  it('run pods that the namespace accepts', () => {
    expect(podsRunIn(operations)).not.toEqual([]);
    expect(podsRunIn(operations).map(refusedByRestricted).flat()).toEqual([]);
  });

  it('and one that does not is noticed', () => {
    const [command = ''] = podsRunIn('Look: `kubectl -n meetmark run probe --rm -it --image …`.');
    expect(refusedByRestricted(command)).toContain('runAsNonRoot');
  });

  it('start two replicas of everything that scales, where no autoscaler can, for each first install', () => {
    const scaling = commandsIn(operations, / scale deployment /);
    const installs = commandsIn(operations, / apply -k k8s\/overlays\/(local|production)$/);
    expect(new Set(installs.map((command) => command.split(' ').at(-1))).size).toBe(2);
    expect(scaling).toHaveLength(2);
    for (const command of scaling) {
      expect(command).toContain(`deployment ${OWN.join(' ')} --replicas=2`);
    }
  });
});
