/** All processes in the order in which they start. */
export const PROCESSES = ['auth', 'events', 'admin', 'worker', 'gateway'] as const;
export type ProcessName = (typeof PROCESSES)[number];

export type Replicas = Record<ProcessName, number>;

const MAX_REPLICAS = 20;

export const getFolder = (name: ProcessName): string => (name === 'gateway' ? name : `services/${name}`);

/**
 * Parses `auth=2,events=3`. Every other process gets one replica.
 * @throws Error with the problem and an example
 */
export function parseReplicas(text: string | undefined): Replicas {
  const replicas: Replicas = { auth: 1, events: 1, admin: 1, worker: 1, gateway: 1 };
  for (const part of (text ?? '').split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [, name, count] = /^(\w+)=(\d+)$/.exec(part) ?? [];
    const known = PROCESSES.find((process) => process === name);
    const number = Number(count);
    if (!known || number < 1 || number > MAX_REPLICAS) {
      throw new Error(
        `REPLICAS: '${part}' is not one of ${PROCESSES.join(', ')} with a number from 1 to ${MAX_REPLICAS}; ` +
          'for example REPLICAS=auth=2,events=3',
      );
    }
    replicas[known] = number;
  }
  return replicas;
}
