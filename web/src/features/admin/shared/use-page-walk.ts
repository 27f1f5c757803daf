import { useState } from 'react';

/** How many rows the administrator's lists ask for at a time. */
export const ROWS_PER_PAGE = 20;

export interface PageWalk {
  /** Path and query of the page on screen. */
  path: string;
  /** Counted from 1. */
  page: number;
  forward: (next: string) => void;
  back: () => void;
}

/**
 * Walks a list whose pages are reached by the server's own `next` links; the way back is remembered. Another `first`
 * page (another filter) begins another walk.
 */
export function usePageWalk(first: string): PageWalk {
  const [walk, setWalk] = useState<{ first: string; further: string[] }>({ first, further: [] });
  const further = walk.first === first ? walk.further : [];
  return {
    path: further.at(-1) ?? first,
    page: further.length + 1,
    forward: (next) => setWalk({ first, further: [...further, next] }),
    back: () => setWalk({ first, further: further.slice(0, -1) }),
  };
}
