import { useSyncExternalStore } from 'react';

/** Milliseconds between updates, which is the maximum delay on screen. */
const TICK = 15_000;

let now = Date.now();

/** A whole screen shows the same time. */
function currentTick(): number {
  const time = Date.now();
  if (Math.abs(time - now) >= TICK) now = time;
  return now;
}

function subscribe(ticked: () => void): () => void {
  const timer = setInterval(ticked, TICK);
  return () => clearInterval(timer);
}

export const useNow = () => useSyncExternalStore(subscribe, currentTick);
