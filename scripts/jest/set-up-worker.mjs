// Adds to jest-light-runner what it lacks.
import { addEventHandler } from 'jest-circus';

/** Milliseconds until a test or hook fails that doesn't end. */
const LIMIT_MS = 300_000;
/** Milliseconds until a worker that doesn't end after its last file says why. */
const ENDING_MS = 10_000;

function withLimit(work, limit = LIMIT_MS) {
  return async () => {
    let timer;
    const end = new Promise((_, reject) => {
      timer = realSetTimeout(() => reject(new Error(`This took longer than ${limit} ms`)), limit);
    });
    try {
      return await Promise.race([work(), end]);
    } finally {
      realClearTimeout(timer);
    }
  };
}
// Specs replace the global functions by fakes.
const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;

addEventHandler(({ name }, { currentDescribeBlock: { tests, hooks } }) => {
  const added = { add_test: tests.at(-1), add_hook: hooks.at(-1) }[name];
  if (added?.fn) added.fn = withLimit(added.fn, added.timeout);
});

process.once('disconnect', () => {
  setTimeout(() => {
    console.error(`A test left open: ${process.getActiveResourcesInfo().join(', ')}`);
  }, ENDING_MS).unref();
});
