import { LIMITS, type Page, type PageRequest } from '@meetmark/contracts';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { decodeCursor, encodeCursor } from './cursor.js';
import { countRows } from './row-count.js';

export interface KeysetOrder {
  /** What the order is called in cursors. */
  name: string;
  /** SQL expression of the sort key, never null; rows with the same key are ordered by `id`. */
  key: string;
  /** Type of the key. A timestamp has milliseconds at most: what PostgreSQL keeps beyond, a cursor cannot say. */
  type: 'text' | 'timestamptz';
  /** SQL expression of the row's id. */
  id: string;
  direction: 'ASC' | 'DESC';
}

/** Not a name that a column might have. */
const SORT_KEY = 'keyset_sort_key';

/**
 * One page of what the query finds; when no limit is asked for all of it, up to LIMITS.listMax rows: one statement for a list that ends
 * there, two or three for a page. Rows that are inserted between two pages neither repeat nor hide any other. `counted` finds as many rows
 * as the query, for less.
 * @throws DomainError MALFORMED_CURSOR
 */
export async function keysetPage<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  { limit, cursor }: PageRequest,
  order: KeysetOrder,
  counted: SelectQueryBuilder<ObjectLiteral> = query.clone(),
): Promise<Page<Row>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, order.name, order.type);
  query
    // In brackets it stays an expression: as a bare column it would be selected under this name only, not for the entity.
    .addSelect(`(${order.key})`, SORT_KEY)
    .orderBy(SORT_KEY, order.direction)
    .addOrderBy(order.id, order.direction);
  if (after !== undefined) {
    const beyond = order.direction === 'ASC' ? '>' : '<';
    query.andWhere(`(${order.key}, ${order.id}) ${beyond} (:afterKey::${order.type}, :afterId::uuid)`, {
      afterKey: after.key,
      afterId: after.id,
    });
  }
  const size = limit ?? LIMITS.listMax;
  // One row more than the page tells whether there is another page.
  const { raw, entities } = await query.limit(size + 1).getRawAndEntities<Record<string, Date | string>>();
  const items = entities.slice(0, size);
  const last = items.at(-1);
  const more = entities.length > size && last !== undefined;
  const isWhole = limit === undefined && cursor === undefined && !more;
  return {
    items,
    total: isWhole ? items.length : await countRows(counted),
    nextCursor: more
      ? encodeCursor(order.name, { key: text(raw[size - 1]?.[SORT_KEY]), id: String(last.id) })
      : null,
  };
}

const text = (key: Date | string | undefined) => (key instanceof Date ? key.toISOString() : String(key));
