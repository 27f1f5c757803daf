import { field, readText } from './manifest.js';

const operations = readText('docs/operations.md');

/** Documented `kubectl run` commands. Commands of several lines are joined into one line. */
const podsRun = [...operations.replaceAll(/\\\n\s*/g, '').matchAll(/kubectl [^\n`]*/g)]
  .map(([command]) => command)
  .filter((command) => /^kubectl (.* )?-n meetmark (.* )?run /.test(command));

/** Returns the rules of the pod security standard `restricted` that a `kubectl run` command violates. */
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

describe('the kubectl commands in docs/operations.md', () => {
  it('run only pods that the namespace accepts', () => {
    expect(podsRun).not.toEqual([]);
    expect(podsRun.map(refusedByRestricted).flat()).toEqual([]);
  });
});
