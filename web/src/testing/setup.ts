import { ModernFakeTimers } from '@jest/fake-timers';
import { jest } from '@jest/globals';
import { configure } from '@testing-library/dom';
import { cleanup } from '@testing-library/react';
import { addEventHandler } from 'jest-circus';

configure({ asyncUtilTimeout: 20_000 });
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// jest-light-runner's fake timers can't advance asynchronously. They also replace functions that React's `act`
// and the connection to Jest need.
const timers = new ModernFakeTimers({
  // Nothing else of the configuration is read.
  config: { fakeTimers: { enableGlobally: true } } as never,
  global: globalThis,
});
Object.assign(jest, {
  useFakeTimers: () => timers.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: (now: number | Date) => timers.setSystemTime(now),
  advanceTimersByTime: (milliseconds: number) => timers.advanceTimersByTime(milliseconds),
  advanceTimersByTimeAsync: (milliseconds: number) => timers.advanceTimersByTimeAsync(milliseconds),
});

const complaints: string[] = [];
console.error = (...parts) => {
  const complaint = parts.map(String).join(' ');
  if (!complaint.includes('Not implemented: navigation')) complaints.push(complaint);
};

function cleanUp() {
  cleanup();
  jest.restoreAllMocks();
  jest.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  document.documentElement.lang = '';
  expect(complaints.splice(0)).toEqual([]);
}

// This module is loaded once for all spec files of a worker, but Jest forgets its hooks after each file.
const prepared = new WeakSet();
addEventHandler(({ name }, { rootDescribeBlock }) => {
  if (name !== 'add_test' || prepared.has(rootDescribeBlock)) return;
  prepared.add(rootDescribeBlock);
  rootDescribeBlock.hooks.unshift({
    ...{ type: 'afterEach', fn: cleanUp, parent: rootDescribeBlock },
    ...{ seenDone: false, timeout: undefined, asyncError: new Error() },
  });
});
