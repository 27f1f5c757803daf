import type { ReactNode } from 'react';
import { browseText } from '../../strings/events';
import { CardSkeletons } from './card-skeletons';
import styles from './event-grid.module.css';

/** Cards side by side, as many as fit. */
export function EventGrid({ children }: { children: ReactNode }) {
  return <ul className={styles.grid}>{children}</ul>;
}

/** The grid while its cards are on their way, in the cards' measures. */
export function EventGridSkeleton() {
  return (
    <div role="status" aria-label={browseText.loading}>
      <CardSkeletons className={styles.grid} />
    </div>
  );
}
