import { commonText } from '../strings/common';
import { ActionButton } from './action-button';
import { Refusal } from './notice';
import styles from './show-more.module.css';
import { whatToDo } from './what-to-do';

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
