import { useEffect } from 'react';
import type { ListPage } from '../../../api/pages';
import { adminText } from '../../../strings/admin';
import { ActionButton } from '../../../ui/action-button';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons';
import styles from './pager.module.css';
import { useCounts } from './use-counts';
import { type PageWalk, ROWS_PER_PAGE } from './use-page-walk';

interface PagerProps {
  /** What the list holds, for its accessible name. */
  list: string;
  walk: PageWalk;
  data: ListPage<unknown>;
}

/** '21–40 of 10,000', Previous and Next. */
export function Pager({ list, walk, data: { items, total, next } }: PagerProps) {
  const count = useCounts();
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
