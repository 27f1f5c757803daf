import { useSyncExternalStore } from 'react';
import { inThisTab } from './persisted-state';

/** Milliseconds before the second and the third attempt. */
const PAUSES = [500, 2_000];
/** Milliseconds before a load that is underway is shown: most are over by then. */
const SHOWN_AFTER = 300;
const RELEASES_LEFT = 'releases-left';

/** A file of the application did not arrive. */
export class PartUnavailable extends Error {
  constructor(cause: unknown) {
    super('A part of the application could not be loaded', { cause });
    this.name = 'PartUnavailable';
  }
}

/** A piece of the application in a file of its own. */
export interface Part<T> {
  /** Loads it; every caller gets the same promise until `forget`, from which `use` takes at once what has arrived. @throws PartUnavailable when several attempts failed */
  load: () => Promise<T>;
  /** Makes the next `load` ask again after a failure. Does nothing while a load is under way or after it has arrived. */
  forget: () => void;
}

/** `quiet`: loaded ahead of need, so no sign is shown while it loads. */
export function part<T>(ask: () => Promise<T>, { quiet = false } = {}): Part<T> {
  let loading: Promise<T> | undefined;
  let failed = false;
  let failedBefore = false;
  const start = async () => {
    try {
      const value = await severalTimes(ask);
      // as React marks what it has waited for: unmarked, what arrived before its first `use` would be waited for, too
      void Object.assign(loading!, { status: 'fulfilled', value });
      return value;
    } catch (error) {
      failed = failedBefore = true;
      throw error;
    }
  };
  return {
    load() {
      if (loading) return loading;
      loading = start();
      // After a failure, the replacement shows the load by itself.
      if (!quiet && !failedBefore) showWhileUnderway(loading);
      return loading;
    },
    forget() {
      if (!failed) return;
      failed = false;
      loading = undefined;
    },
  };
}

async function severalTimes<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const pause = PAUSES[attempt];
      if (!navigator.onLine || pause === undefined) throw new PartUnavailable(error);
      if (await reloadedForNewRelease()) return new Promise<T>(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * After a deployment the files of this page are gone, and a reload brings the new ones. Each release is left at most once in a tab,
 * so that old and new servers side by side cause no loop.
 */
async function reloadedForNewRelease(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src');
  if (!entry) return false;
  try {
    const page = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } });
    if (!page.ok || (await page.text()).includes(entry)) return false;
    const left = inThisTab().getItem(RELEASES_LEFT)?.split(' ') ?? [];
    if (left.includes(entry)) return false;
    inThisTab().setItem(RELEASES_LEFT, [...left, entry].join(' '));
  } catch {
    // No connection, or a browser that remembers nothing and could reload for ever: the part is reported as missing.
    return false;
  }
  window.location.reload();
  return true;
}

const shown = new Set<Promise<unknown>>();
const listeners = new Set<() => void>();
const tellListeners = () => listeners.forEach((listener) => listener());

function showWhileUnderway(loading: Promise<unknown>): void {
  const timer = setTimeout(() => {
    shown.add(loading);
    tellListeners();
  }, SHOWN_AFTER);
  const end = () => {
    clearTimeout(timer);
    if (shown.delete(loading)) tellListeners();
  };
  loading.then(end, end);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a part has been loading for so long that the page should say so. */
export const useAwaitsPart = () => useSyncExternalStore(subscribe, () => shown.size > 0);
