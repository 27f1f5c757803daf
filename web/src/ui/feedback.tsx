import { commonText } from '@meetmark/i18n/texts/common';
import { Button } from 'antd';
import type { ComponentType, ReactNode } from 'react';
import { ActionButton } from './action-button';
import styles from './feedback.module.css';
import { whatToDo } from './what-to-do';

interface EmptyStateProps {
  title: string;
  heading?: 'h1' | 'p' | ComponentType<{ className?: string; children: ReactNode }>;
  hint?: string;
  children?: ReactNode;
}

export function EmptyState({ title, heading: Heading = 'p', hint, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <svg viewBox="0 0 96 56" width="96" height="56" aria-hidden="true" className={styles.drawing}>
        <circle cx="34" cy="28" r="22" />
        <circle cx="62" cy="28" r="22" />
      </svg>
      <Heading className={styles.title}>{title}</Heading>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children}
    </div>
  );
}

interface ErrorStateProps {
  error: unknown;
  retry: () => void;
  title?: string;
}

export function ErrorState({ error, retry, title = commonText.loadFailed }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{title}</p>
      <p className={styles.hint}>{whatToDo(error)}</p>
      <Button onClick={retry}>{commonText.retry}</Button>
    </div>
  );
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  return error ? <ErrorState error={error} retry={() => void refetch()} /> : <CardSkeleton />;
}

export const Refusal = ({ children }: { children: ReactNode }) => (
  <p className={styles.refusal} role="alert">
    {children}
  </p>
);

export const CardSkeleton = () => (
  <div role="status" aria-label={commonText.loading} className={styles.lines}>
    <i />
    <i />
    <i />
  </div>
);

interface ShowMoreProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: unknown;
    fetchNextPage: () => Promise<unknown>;
  };
}

export function ShowMore({ query }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={styles.more}>
      {query.isFetchNextPageError && <Refusal>{whatToDo(query.error)}</Refusal>}
      <ActionButton
        size="large"
        inactive={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {query.isFetchingNextPage ? commonText.showingMore : commonText.showMore}
      </ActionButton>
    </div>
  );
}
