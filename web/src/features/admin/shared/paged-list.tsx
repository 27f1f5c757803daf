import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListPage } from '../../../api/pages';
import { ErrorState } from '../../../ui/feedback';
import { Pager } from './pager';
import type { PageWalk } from './use-page-walk';

interface PagedListProps<Row> {
  /** What the list holds, for the accessible name of its pager. */
  list: string;
  walk: PageWalk;
  page: UseQueryResult<ListPage<Row>>;
  /** Draws the rows of a page, undefined before the first has come; `busy` while the next one is on its way. */
  children: (rows: Row[] | undefined, busy: boolean) => ReactNode;
}

/** One page of a list and the way to the others, or what is wrong with it. */
export function PagedList<Row>({ list, walk, page, children }: PagedListProps<Row>) {
  const { data, error, isPlaceholderData, refetch } = page;
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />;
  return (
    <>
      {children(data?.items, isPlaceholderData)}
      {data && <Pager list={list} walk={walk} data={data} />}
    </>
  );
}
