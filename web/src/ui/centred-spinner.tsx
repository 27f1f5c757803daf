import { commonText } from '@meetmark/i18n/texts/common';
import styles from './feedback.module.css';

export function CentredSpinner() {
  return (
    <div className={styles.centre} role="status">
      <span className={styles.spinner} />
      <span className="visually-hidden">{commonText.loading}</span>
    </div>
  );
}
