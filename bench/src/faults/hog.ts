/**
 * Negative control that Node imports before a program. Every `EVERY` milliseconds, it blocks the event loop
 * and allocates memory that is never freed.
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
