import type { Scheme } from '@meetmark/contracts/palette';
import { useEffect, useState } from 'react';
import { persist, readPersisted } from '../../ui/persisted-state';
import { useMedia } from '../../ui/use-media';

const STORAGE_KEY = 'color-scheme';

const matches = (query: string) => window.matchMedia(query).matches;

const DARK = '(prefers-color-scheme: dark)';
const REDUCED = '(prefers-reduced-motion: reduce)';

export const prefersReducedMotion = () => matches(REDUCED);
export const useReducedMotion = () => useMedia(REDUCED);

const stored = (): Scheme | null => {
  const value = readPersisted(STORAGE_KEY);
  return value === 'light' || value === 'dark' ? value : null;
};

/** The scheme of the first screen. */
export const firstScheme = (): Scheme => stored() ?? (matches(DARK) ? 'dark' : 'light');

/** The chosen colour scheme, else the system's. Choosing the system's own returns to following it. */
export function useScheme(): { scheme: Scheme; choose: (scheme: Scheme) => void } {
  const system: Scheme = useMedia(DARK) ? 'dark' : 'light';
  const [chosen, setChosen] = useState(stored);
  const scheme = chosen ?? system;
  useEffect(() => {
    document.documentElement.dataset.theme = scheme;
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
