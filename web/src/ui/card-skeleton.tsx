import { commonText } from '../strings/common';
import styles from './card-skeleton.module.css';

/** A few lines of a card while they are on their way. */
export const CardSkeleton = () => (
  <div role="status" aria-label={commonText.loading} className={styles.lines}>
    <i />
    <i />
    <i />
  </div>
);
