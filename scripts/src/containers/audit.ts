import { spawnSync } from 'node:child_process';

interface Audit {
  /** Present when the registry did not answer the question. */
  message?: string;
  metadata?: { vulnerabilities: Record<string, number> };
  vulnerabilities?: Record<string, { severity: string; range: string }>;
}

const SERIOUS = ['high', 'critical'];

/**
 * Asks the registry for known faults in what is shipped.
 * @returns what was looked at, or that nothing was
 * @throws Error that names every package with a serious one
 */
export function auditPackages(root: string): string {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json'];
  const { stdout, error } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (error) throw error;
  return verdictOf(JSON.parse(stdout) as Audit);
}

/** What `npm audit --json` has answered, in one line. @throws Error that names every package with a serious fault */
export function verdictOf({ message, metadata, vulnerabilities = {} }: Audit): string {
  if (metadata === undefined)
    return `not checked: the registry answers no audit (${message ?? 'no reason given'})`;
  const serious = Object.entries(vulnerabilities).filter(([, { severity }]) => SERIOUS.includes(severity));
  if (serious.length > 0)
    throw new Error(serious.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`).join('\n'));
  return `${metadata.vulnerabilities['total'] ?? 0} known, none of them serious`;
}
