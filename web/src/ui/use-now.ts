import { useSyncExternalStore } from 'react';

/** Milliseconds between readings of the clock: what depends on it is at most this late. */
const TICK = 15_000;

let now = Date.now();

/** The same value until a tick has passed, so that a whole screen shows one moment. */
function currentTick(): number {
  const time = Date.now();
  if (Math.abs(time - now) >= TICK) now = time;
  return now;
}

function subscribe(ticked: () => void): () => void {
  const timer = setInterval(ticked, TICK);
  return () => clearInterval(timer);
}

/** The present moment in milliseconds; a component that uses it renders again as time passes. */
export const useNow = () => useSyncExternalStore(subscribe, currentTick);
