import { Button } from 'antd';
import { commonText } from '../strings/common';
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
      <Button size="large" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchingNextPage ? commonText.showingMore : commonText.showMore}
      </Button>
    </div>
  );
}
