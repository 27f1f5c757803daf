/**
 * Milliseconds between steps. Node imports this file before a process's program, as a negative control. Each
 * step keeps more memory and blocks the event loop.
 */
const EVERY = 350;
const STANDS_STILL_FOR = 300;
const MEGABYTES = 4;
const MOST = 60;
const kept: Buffer[] = [];

setInterval(() => {
  if (kept.length < MOST) kept.push(Buffer.alloc(MEGABYTES * 2 ** 20, 1));
  const until = Date.now() + STANDS_STILL_FOR;
  while (Date.now() < until);
}, EVERY).unref();
