import { commonText } from '@meetmark/i18n/texts/common';
import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';
import styles from './feedback.module.css';
import { OfflineIcon } from './icons';

/** @param announced makes screen readers announce the notice; set it on one notice per page */
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

/** Milliseconds between checks. They are needed because browsers miss some reconnects. */
const LOOK_EVERY = 10_000;
/** A small file that every server has. It is requested to check the connection. */
const SIGN_OF_LIFE = '/scheme.js';

let offline = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Also asks the server, because a server on the same machine can be reached without a network. */
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
  // a layout effect listens as soon as the offline message is shown, so that no reconnect is missed
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
