import type { ReactNode } from 'react';
import { CardSkeletons } from './card-skeletons';
import styles from './event-grid.module.css';

/** Cards side by side, as many as fit. */
export function EventGrid({ children }: { children: ReactNode }) {
  return <ul className={styles.grid}>{children}</ul>;
}

/** The grid while its cards are on their way, in the cards' measures. */
export function EventGridSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label}>
      <CardSkeletons className={styles.grid} />
    </div>
  );
}
