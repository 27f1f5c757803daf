import { createRunner } from 'jest-light-runner';

const QUESTION = 'jest-light-runner-get-worker-data';
const ANSWER = 'jest-light-runner-worker-data';

/**
 * jest-light-runner sends the configuration to all workers when the first of them asks for it. A worker that
 * isn't listening yet would wait forever. This runner answers each worker separately. It also uses a worker
 * with `--runInBand`, because a browser's globals would break Jest itself.
 */
export default class Runner extends createRunner({ runtime: 'child_process' }) {
  _runtime = 'child_process';

  _runTest(test) {
    const projectConfig = test.context.config;
    const started = this._testRunners.get(projectConfig);
    if (started === undefined) return super._runTest(test);
    let reply;
    const workerData = { globalConfig: this._globalConfig, projectConfig, runtime: this._runtime };
    const channel = {
      onMessage: (send) => (reply = send),
      postMessage: (message) => {
        if (message === QUESTION) reply({ type: ANSWER, workerData });
      },
    };
    return started.pool.run(test.path, { channel });
  }
}
