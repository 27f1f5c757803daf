import { Button } from 'antd';
import { commonText } from '../strings/common';
import styles from './show-more.module.css';

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

/** Asks a list for its next page; nothing on the last one. */
export function ShowMore({ query }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={styles.more}>
      <Button size="large" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchingNextPage ? commonText.showingMore : commonText.showMore}
      </Button>
    </div>
  );
}
