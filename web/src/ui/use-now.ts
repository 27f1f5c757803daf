import { useSyncExternalStore } from 'react';

/** Milliseconds between updates. The time on screen is at most this much too old. */
const TICK = 15_000;

let now = Date.now();

/** Returns the same time to all components until the next tick. */
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
