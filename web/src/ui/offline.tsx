import { commonText } from '@meetmark/i18n/texts/common';
import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';
import styles from './feedback.module.css';
import { OfflineIcon } from './icons';

/** @param announced makes assistive technology announce the notice; set it once per page */
export function OfflineNotice({ announced = false }: { announced?: boolean }) {
  const offline = useOffline();
  return (
    <div role={announced ? 'status' : undefined}>
      {offline && (
        <p className={styles.notice}>
          <OfflineIcon size={18} />
          <span>
            <strong>{commonText.offline}.</strong> {commonText.offlineHint}
          </span>
        </p>
      )}
    </div>
  );
}

/** Milliseconds between checks, because browsers miss some reconnects. */
const LOOK_EVERY = 10_000;
/** A small file on every server, requested to check the connection. */
const SIGN_OF_LIFE = '/scheme.js';

let offline = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Also asks the server, because an offline browser may still reach one on its own machine. */
async function look(): Promise<void> {
  clearTimeout(timer);
  const away = !navigator.onLine && !(await answers());
  if (away !== offline) {
    offline = away;
    listeners.forEach((listener) => listener());
  }
  clearTimeout(timer);
  if (!navigator.onLine && listeners.size > 0) timer = setTimeout(() => void look(), LOOK_EVERY);
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(SIGN_OF_LIFE, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

const lookNow = () => void look();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('online', lookNow);
    window.addEventListener('offline', lookNow);
    lookNow();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('online', lookNow);
    window.removeEventListener('offline', lookNow);
    clearTimeout(timer);
  };
}

const useOffline = () => useSyncExternalStore(subscribe, () => offline);

export function useBackOnline(again: () => void): void {
  const tryAgain = useEffectEvent(again);
  // a layout effect, to notice a reconnect right after the page reports being offline
  useLayoutEffect(() => {
    const listening = new AbortController();
    window.addEventListener('online', () => tryAgain(), { signal: listening.signal });
    const looking = setInterval(() => {
      if (document.visibilityState === 'visible') tryAgain();
    }, LOOK_EVERY);
    return () => {
      listening.abort();
      clearInterval(looking);
    };
  }, []);
}
