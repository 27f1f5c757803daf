import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ListPage } from '../../../api/pages';

type Row = { id: string };

/**
 * Removes a row at once from every cached page whose key begins with `list`. The returned function puts it back where it
 * was, beside other changes (another row may have been deleted meanwhile).
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

/** Deletes rows of a list. Each is gone at once, and comes back when the call fails; `settled` follows either way. */
export function useRowDeletion(
  list: QueryKey,
  remove: (id: string) => Promise<unknown>,
  settled: () => Promise<unknown>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onMutate: (id) => removeRow(client, list, id),
    onError: (_error, _id, restore) => restore?.(),
    onSettled: () => void settled(),
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
