/** Reads all pages of a list. */
export async function readPages<T>(
  readPage: (cursor?: string) => Promise<{ items: T[]; nextCursor: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await readPage(cursor);
    all.push(...items);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
