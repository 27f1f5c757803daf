import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { ListPage } from '../../../api/pages';
import { adminText } from '../../../strings/admin';
import { ActionButton } from '../../../ui/action-button';
import { ErrorState } from '../../../ui/feedback';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons';
import { useFormats } from '../../../ui/use-formats';
import styles from './admin.module.css';

interface PagedListProps<Row> {
  /** What the list holds, for the accessible name of its pager. */
  list: string;
  walk: PageWalk;
  page: UseQueryResult<ListPage<Row>>;
  /** Draws the rows of a page, undefined before the first has come; `busy` while the next one is on its way. */
  children: (rows: Row[] | undefined, busy: boolean) => ReactNode;
}

/** One page of a list and the way to the others, or what is wrong with it. */
export function PagedList<Row>({ list, walk, page, children }: PagedListProps<Row>) {
  const { data, error, isPlaceholderData, refetch } = page;
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />;
  return (
    <>
      {children(data?.items, isPlaceholderData)}
      {data && <Pager list={list} walk={walk} data={data} />}
    </>
  );
}

interface PagerProps {
  /** What the list holds, for its accessible name. */
  list: string;
  walk: PageWalk;
  data: ListPage<unknown>;
}

/** '21–40 of 10,000', Previous and Next. */
export function Pager({ list, walk, data: { items, total, next } }: PagerProps) {
  const { count } = useFormats();
  const { page, back, forward } = walk;
  const vanished = page > 1 && items.length === 0;
  // The last row of the last page was deleted: the page before it is the last one now.
  useEffect(() => {
    if (vanished) back();
  }, [vanished, back]);

  const before = (page - 1) * ROWS_PER_PAGE;
  return (
    <nav className={styles.pager} aria-label={adminText.pages(list)}>
      <p className={styles.range} role="status">
        {items.length > 0 && adminText.range(before + 1, before + items.length, count(total))}
      </p>
      <ActionButton icon={<ChevronLeftIcon />} inactive={page === 1} onClick={back}>
        {adminText.previous}
      </ActionButton>
      <ActionButton
        icon={<ChevronRightIcon />}
        iconPlacement="end"
        inactive={next === null}
        onClick={() => next !== null && forward(next)}
      >
        {adminText.next}
      </ActionButton>
    </nav>
  );
}

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
