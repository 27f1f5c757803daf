import { adminText } from '@meetmark/i18n/texts/admin';
import { keepPreviousData, type QueryKey, queryOptions, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ListPage, readPage } from '../../../api/pages';
import { ALWAYS_STALE } from '../../../api/query-client';
import { ActionButton } from '../../../ui/action-button';
import { ErrorState } from '../../../ui/feedback';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons';
import { useFormats } from '../../../ui/use-formats';
import styles from './admin.module.css';
import { ListTable, type ListTableProps } from './list-table';

export const ROWS_PER_PAGE = 20;

export const pageQuery = <Row,>(list: QueryKey, path: string) =>
  queryOptions({
    queryKey: [...list, path],
    queryFn: ({ signal }) => readPage<Row>(path, signal),
    ...ALWAYS_STALE,
    placeholderData: keepPreviousData,
  });

interface Pagination {
  path: string;
  page: number;
  forward: (next: string) => void;
  back: () => void;
}

export function usePagination(first: string): Pagination {
  const [visited, setVisited] = useState<{ first: string; further: string[] }>({ first, further: [] });
  const further = visited.first === first ? visited.further : [];
  return {
    path: further.at(-1) ?? first,
    page: further.length + 1,
    forward: (next) => setVisited({ first, further: [...further, next] }),
    back: () => setVisited({ first, further: further.slice(0, -1) }),
  };
}

export interface PagedListProps<Row> extends Omit<ListTableProps<Row>, 'caption' | 'rows' | 'busy'> {
  list: string;
  pagination: Pagination;
  page: UseQueryResult<ListPage<Row>>;
}

export function PagedList<Row extends { id: string }>({
  list,
  pagination,
  page,
  ...table
}: PagedListProps<Row>) {
  const { data, error, isPlaceholderData, refetch } = page;
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />;
  return (
    <>
      <ListTable {...table} caption={list} rows={data?.items} busy={isPlaceholderData} />
      {data && <Pager list={list} pagination={pagination} data={data} />}
    </>
  );
}

function Pager<Row>({
  list,
  pagination,
  data,
}: Pick<PagedListProps<Row>, 'list' | 'pagination'> & { data: ListPage<Row> }) {
  const { count } = useFormats();
  const { items, total, next } = data;
  const { page, back, forward } = pagination;
  const vanished = page > 1 && items.length === 0;
  useEffect(() => {
    if (vanished) back();
  }, [vanished, back]);

  const before = (page - 1) * ROWS_PER_PAGE;
  const range = (
    <p className={styles.range} role="status">
      {items.length > 0 &&
        adminText.range({ from: before + 1, to: before + items.length, total: count(total) })}
    </p>
  );
  if (page === 1 && next === null) return <div className={styles.pager}>{range}</div>;
  return (
    <nav className={styles.pager} aria-label={adminText.pages({ list })}>
      {range}
      <ActionButton icon={<ChevronLeftIcon />} inactive={page === 1} onClick={back}>
        {adminText.previous}
      </ActionButton>
      <ActionButton
        icon={<ChevronRightIcon />}
        iconPlacement="end"
        inactive={next === null}
        onClick={() => next !== null && forward(next)}
      >
        {adminText.next}
      </ActionButton>
    </nav>
  );
}
