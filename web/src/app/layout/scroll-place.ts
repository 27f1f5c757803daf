import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

const READER_ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/**
 * Scrolls to the section in the URL's hash, and again whenever the page grows. Stops when the reader scrolls,
 * clicks or types.
 */
export function useScrollPlace(screen: string): void {
  const { hash, key } = useLocation();
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const isNew = shown.current !== screen;
    shown.current = screen;
    const id = hash.slice(1);
    if (!id) {
      if (isNew) window.scrollTo(0, 0);
      return undefined;
    }
    const show = () => {
      const section = document.getElementById(id);
      section?.scrollIntoView();
      section?.focus({ preventScroll: true });
    };
    const filling = new ResizeObserver(show);
    const stop = () => filling.disconnect();
    for (const act of READER_ACTS) window.addEventListener(act, stop, { once: true, passive: true });
    show();
    filling.observe(document.body);
    return () => filling.disconnect();
  }, [screen, hash, key]);
}
