import { BROKER_URL } from './broker.js';

/** Asks the run's broker. Throws with its reason, or when the tests were not started through the root Jest configuration. */
export async function askBroker<Answer>(question: string): Promise<Answer> {
  const base = process.env[BROKER_URL];
  if (!base)
    throw new Error('No test servers: start Jest with the configuration in the root of the repository');
  // A kept connection that the broker closes at this very moment would fail the question on a busy machine.
  const response = await fetch(`${base}/${question}`, { headers: { connection: 'close' } });
  if (!response.ok) throw new Error(`The test servers did not start: ${await response.text()}`);
  return (await response.json()) as Answer;
}
