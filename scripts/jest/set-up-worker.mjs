// Adds to jest-light-runner what it lacks.
import { addEventHandler } from 'jest-circus';

/** Milliseconds until a test or hook fails that doesn't end. */
const LIMIT_MS = 300_000;
/** Milliseconds until a worker that doesn't end after its last file says why. */
const ENDING_MS = 10_000;

// Specs replace the global functions by fakes.
const { setTimeout, clearTimeout } = globalThis;
const { error: printError } = console;

function withLimit(work, limit = LIMIT_MS) {
  return async () => {
    let timer;
    const end = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`This took longer than ${limit} ms`)), limit);
    });
    try {
      return await Promise.race([work(), end]);
    } finally {
      clearTimeout(timer);
    }
  };
}

addEventHandler(({ name }, { currentDescribeBlock: { tests, hooks } }) => {
  const added = { add_test: tests.at(-1), add_hook: hooks.at(-1) }[name];
  if (added?.fn) added.fn = withLimit(added.fn, added.timeout);
});

// Specs may await a promise only after it was rejected. Node would end the process.
const unhandled = new Map();
process.on('unhandledRejection', (reason, promise) => unhandled.set(promise, reason));
process.on('rejectionHandled', (promise) => unhandled.delete(promise));

process.once('disconnect', () => {
  for (const reason of unhandled.values()) printError('Never handled:', reason);
  setTimeout(() => {
    printError(`A test left open: ${process.getActiveResourcesInfo().join(', ')}`);
  }, ENDING_MS).unref();
});
