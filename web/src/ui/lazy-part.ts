import { useSyncExternalStore } from 'react';
import { inThisTab } from './persisted-state';

const PAUSES = [500, 2_000];
/** Milliseconds until a loading indicator appears. Most parts load faster. */
const SHOWN_AFTER = 300;
const RELEASES_LEFT = 'releases-left';

export class PartUnavailable extends Error {
  constructor(cause: unknown) {
    super('A part of the application could not be loaded', { cause });
    this.name = 'PartUnavailable';
  }
}

export interface Part<T> {
  /**
   * Returns the same promise on every call until `forget` is called after a failure.
   * @throws PartUnavailable after several attempts
   */
  load: () => Promise<T>;
  forget: () => void;
}

/** @param quiet shows no loading indicator, for a part that is loaded in advance */
export function part<T>(ask: () => Promise<T>, { quiet = false } = {}): Part<T> {
  let loading: Promise<T> | undefined;
  let failed = false;
  let failedBefore = false;
  const start = async () => {
    try {
      const value = await severalTimes(ask);
      // marks the promise for React, so that the first `use` doesn't suspend
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
      // after a failure, the retry button shows the progress
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
 * Reloads the page if there is a new release. Reloads only once per release and tab, because the page would
 * otherwise reload in a loop while old and new servers run together.
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
    // offline, or without the storage that prevents a reload loop
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

export const useAwaitsPart = () => useSyncExternalStore(subscribe, () => shown.size > 0);
