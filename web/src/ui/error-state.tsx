import { Button } from 'antd';
import { serverMessage } from '../api/client';
import { commonText } from '../strings/common';
import styles from './states.module.css';

interface ErrorStateProps {
  error: unknown;
  retry: () => void;
  title?: string;
}

/** A list or screen that could not be loaded, and the way to try again. */
export function ErrorState({ error, retry, title = commonText.loadFailed }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{title}</p>
      <p className={styles.hint}>{serverMessage(error) ?? commonText.loadFailedHint}</p>
      <Button onClick={retry}>{commonText.retry}</Button>
    </div>
  );
}
