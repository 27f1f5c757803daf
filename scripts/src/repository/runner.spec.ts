import { jest } from '@jest/globals';

interface Channel {
  onMessage(send: (message: object) => void): void;
  postMessage(message: string): void;
}
interface Runner {
  _testRunners: Map<object, { pool: { run(path: string, options: { channel: Channel }): void } }>;
  _runTest(test: object): void;
}

const { default: Runner } = (await import(String(new URL('../../jest/runner.mjs', import.meta.url)))) as {
  default: new (config: object) => Runner;
};

it('answers only the worker that asks for its configuration, so that a slower one is answered later', () => {
  const runner = new Runner({ maxWorkers: 2 });
  const config = {};
  const channels: Channel[] = [];
  runner._testRunners.set(config, { pool: { run: (_, { channel }) => void channels.push(channel) } });
  const [fast, slow] = [jest.fn(), jest.fn()];
  for (const send of [fast, slow]) {
    runner._runTest({ path: 'a.spec.ts', context: { config } });
    channels.at(-1)!.onMessage(send);
  }
  channels[0]!.postMessage('jest-light-runner-get-worker-data');
  expect(fast).toHaveBeenCalledTimes(1);
  expect(slow).not.toHaveBeenCalled();
  channels[1]!.postMessage('jest-light-runner-get-worker-data');
  expect(slow).toHaveBeenCalledTimes(1);
});
