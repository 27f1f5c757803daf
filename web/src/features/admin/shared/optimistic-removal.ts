import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useMutation } from '../../../api/mutation';
import type { ListPage } from '../../../api/pages';

type Row = { id: string };

/**
 * Removes the row from every page under `list`. The returned function restores the row and keeps other
 * changes.
 */
export async function removeRow(client: QueryClient, list: QueryKey, id: string): Promise<() => void> {
  await client.cancelQueries({ queryKey: list });
  const pages = client.getQueriesData<ListPage<Row>>({ queryKey: list });
  const restores = pages.flatMap(([key, page]) => {
    const index = page?.items.findIndex((row) => row.id === id) ?? -1;
    const row = page?.items[index];
    if (!row) return [];
    client.setQueryData<ListPage<Row>>(key, (current) => current && withoutRow(current, id));
    return () =>
      client.setQueryData<ListPage<Row>>(key, (current) => current && withRow(current, row, index));
  });
  return () => restores.forEach((restore) => restore());
}

export function useRowDeletion(
  list: QueryKey,
  remove: (id: string) => Promise<unknown>,
  settled: () => Promise<unknown>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onMutate: (id) => removeRow(client, list, id),
    // not onError, because a cancelled deletion must restore the row too
    onSettled: (_data, error, _id, restore) => {
      if (error) restore?.();
      void settled();
    },
  });
}

const withoutRow = (page: ListPage<Row>, id: string): ListPage<Row> => ({
  ...page,
  items: page.items.filter((row) => row.id !== id),
  total: page.total - 1,
});

const withRow = (page: ListPage<Row>, row: Row, index: number): ListPage<Row> =>
  page.items.some(({ id }) => id === row.id)
    ? page
    : { ...page, items: page.items.toSpliced(index, 0, row), total: page.total + 1 };
