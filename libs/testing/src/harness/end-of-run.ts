import { get } from 'node:http';
import { type Broker, BROKER_URL } from './broker.js';

/**
 * Runs `end` after the last spec file of the run, for things that spec files share. PostgreSQL and Redis run
 * until `end` has finished.
 */
export function atEndOfRun(end: () => Promise<unknown>): void {
  const { meetmarkTestBroker: broker } = globalThis as { meetmarkTestBroker?: Broker };
  if (broker !== undefined) return broker.endFirst(end);
  // Another process: the broker answers when the run ends, and waits until the connection is closed.
  const hold = get(`${process.env[BROKER_URL]}/hold`, { agent: false }, (response) => {
    response.on('error', () => undefined);
    void end()
      .catch((error: unknown) => console.error('Could not end what spec files share:', error))
      .finally(() => response.destroy());
  });
  // The run was killed. Its servers are gone, so `end` would wait for them.
  hold.on('error', () => process.exit(1));
}
