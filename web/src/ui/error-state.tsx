import { Button } from 'antd';
import { ApiError, serverMessage } from '../api/client';
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
      <p className={styles.hint}>{whatToDo(error)}</p>
      <Button onClick={retry}>{commonText.retry}</Button>
    </div>
  );
}

/** What happened, in the server's words where it has some, and always what can be done about it. */
function whatToDo(error: unknown): string {
  if (!(error instanceof ApiError)) return commonText.loadFailedHint;
  const sentence = serverMessage(error) ?? commonText.serverFailed;
  return /try again|sign in/i.test(sentence) ? sentence : `${sentence}. ${commonText.tryInAMoment}`;
}
