import { isMainThread } from 'node:worker_threads';

// Threads hear no signals.
if (isMainThread) process.on('SIGUSR2', () => gc?.());
