import { Button } from 'antd';
import { commonText } from '../strings/common';
import styles from './states.module.css';
import { whatToDo } from './what-to-do';

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
      <p className={styles.hint}>{whatToDo(error)}</p>
      <Button onClick={retry}>{commonText.retry}</Button>
    </div>
  );
}
