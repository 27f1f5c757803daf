import type { Page, PageRequest } from '@meetmark/contracts';
import { countRows } from '@meetmark/platform';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { decodeCursor, encodeCursor, type Keyset } from './keyset.js';

export interface KeysetOrder<Row> {
  /** `alias.property` of the date and of the id that the list is ordered by. */
  date: string;
  id: string;
  direction: 'ASC' | 'DESC';
  keysetOf(row: Row): Keyset;
}

/**
 * One page of what the query finds, or all of it when no limit is asked for: one statement for the whole list, two for a
 * page. Rows that are inserted between two pages neither repeat nor hide any other. `counted` finds as many rows as the query.
 * @throws DomainError MALFORMED_CURSOR
 */
export async function keysetPage<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  { limit, cursor }: PageRequest,
  order: KeysetOrder<Row>,
  counted: SelectQueryBuilder<ObjectLiteral> = query.clone(),
): Promise<Page<Row>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  query.orderBy(order.date, order.direction).addOrderBy(order.id, order.direction);
  if (after !== undefined) {
    const beyond = order.direction === 'ASC' ? '>' : '<';
    query.andWhere(`(${order.date}, ${order.id}) ${beyond} (:afterDate, :afterId)`, {
      afterDate: after.date,
      afterId: after.id,
    });
  }
  if (limit === undefined) {
    const items = await query.getMany();
    return { items, total: items.length, nextCursor: null };
  }
  // One row more than the page tells whether there is another page.
  const rows = await query.limit(limit + 1).getMany();
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items,
    total: await countRows(counted),
    nextCursor: more ? encodeCursor(order.keysetOf(last)) : null,
  };
}
