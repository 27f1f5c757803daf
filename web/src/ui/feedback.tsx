import { commonText } from '@meetmark/contracts/texts/common';
import { Button } from 'antd';
import type { ComponentType, ReactNode } from 'react';
import { ActionButton } from './action-button';
import styles from './feedback.module.css';
import { whatToDo } from './what-to-do';

interface EmptyStateProps {
  title: string;
  /** 'h1' where it is the whole page, or a component that renders one. */
  heading?: 'h1' | 'p' | ComponentType<{ className?: string; children: ReactNode }>;
  hint?: string;
  children?: ReactNode;
}

/** Says that a list is empty, and what could be done about it. */
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

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** What a query answers; until it does, the lines of a card, or why it does not. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  return error ? <ErrorState error={error} retry={() => void refetch()} /> : <CardSkeleton />;
}

/** A refusal beside the control that it is about. */
export const Refusal = ({ children }: { children: ReactNode }) => (
  <p className={styles.refusal} role="alert">
    {children}
  </p>
);

/** The lines of a card while they load. */
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

/** Asks a list for its next page; nothing on the last one. */
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
