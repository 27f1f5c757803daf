import type { Scheme } from '@meetmark/contracts/palette';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { persist, readPersisted } from '../../ui/persisted-state';
import { useMedia } from '../../ui/use-media';

const STORAGE_KEY = 'color-scheme';

const matches = (query: string) => window.matchMedia(query).matches;

const DARK = '(prefers-color-scheme: dark)';
const REDUCED = '(prefers-reduced-motion: reduce)';

export const prefersReducedMotion = () => matches(REDUCED);
export const useReducedMotion = () => useMedia(REDUCED);

const root = document.documentElement;

/** Cached text scale, because reading the scale forces a layout. Set while the scale is observed. */
let keptScale: number | undefined;

/** Returns the font size divided by 16 px, or 1 in jsdom, which has no font size. */
export const textScale = () => keptScale ?? (parseFloat(getComputedStyle(root).fontSize) / 16 || 1);

/** Watches an element that is 1rem wide, because no event reports a new font size. */
function watchTextScale(changed: () => void): () => void {
  keptScale = textScale();
  const letter = document.createElement('i');
  letter.style.cssText = 'position:fixed;width:1rem;visibility:hidden';
  document.body.append(letter);
  const observer = new ResizeObserver(() => {
    keptScale = undefined;
    keptScale = textScale();
    changed();
  });
  observer.observe(letter);
  return () => {
    observer.disconnect();
    letter.remove();
    keptScale = undefined;
  };
}

export const useTextScale = () => useSyncExternalStore(watchTextScale, textScale);

const stored = (): Scheme | null => {
  const value = readPersisted(STORAGE_KEY);
  return value === 'light' || value === 'dark' ? value : null;
};

export const firstScheme = (): Scheme => stored() ?? (matches(DARK) ? 'dark' : 'light');

/** If the reader chooses the system's current scheme, the page follows the system again. */
export function useScheme(): { scheme: Scheme; choose: (scheme: Scheme) => void } {
  const system: Scheme = useMedia(DARK) ? 'dark' : 'light';
  const [chosen, setChosen] = useState(stored);
  const scheme = chosen ?? system;
  useEffect(() => {
    root.dataset.theme = scheme;
  }, [scheme]);
  return {
    scheme,
    choose: (next) => {
      const choice = next === system ? null : next;
      persist(STORAGE_KEY, choice);
      setChosen(choice);
    },
  };
}
