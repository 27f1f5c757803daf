import {
  DomainError,
  isMoment,
  LIMITS,
  type Page,
  type PageRequest,
  UUID_PATTERN,
} from '@meetmark/contracts';
import { LRUCache } from 'lru-cache';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

export interface KeysetOrder {
  /** The name of the order in cursors. */
  name: string;
  /** SQL expression of the sort key, never null; rows with the same key are ordered by `id`. */
  key: string;
  /** Type of the key. A timestamp has milliseconds at most: what PostgreSQL keeps beyond, a cursor cannot say. */
  type: 'text' | 'timestamptz';
  /** SQL expression of the row's id. */
  id: string;
  direction: 'ASC' | 'DESC';
}

/** Must not be the name of a column. */
const SORT_KEY = 'keyset_sort_key';

/**
 * One page of what the query finds; without a limit all of it, up to LIMITS.listMax rows. One statement for a list that ends there, two
 * or three for a longer one. Rows inserted between two pages neither repeat nor hide others. `counted` is a cheaper query with as many rows.
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
    // Parentheses keep it an expression: a bare column would be selected under this name only, not for the entity.
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
  // One row beyond the page shows whether another page follows.
  const { raw, entities } = await query.limit(size + 1).getRawAndEntities<Record<string, Date | string>>();
  const { items, nextCursor } = cutPage(entities, size, order.name, ({ id }) => ({
    key: raw[size - 1]?.[SORT_KEY],
    id: String(id),
  }));
  const isWhole = cursor === undefined && nextCursor === null;
  return { items, total: isWhole ? items.length : await countRows(counted), nextCursor };
}

/** Of rows that were read with one beyond the page: the page, and the cursor that leads on. */
export function cutPage<Row>(
  rows: Row[],
  size: number,
  order: string,
  endOf: (last: Row) => { key: Date | string | undefined; id: string },
): Pick<Page<Row>, 'items' | 'nextCursor'> {
  const items = rows.slice(0, size);
  const last = items.at(-1);
  if (last === undefined || rows.length <= size) return { items, nextCursor: null };
  const { key, id } = endOf(last);
  return { items, nextCursor: encodeCursor(order, { key: text(key), id }) };
}

const text = (key: Date | string | undefined) => (key instanceof Date ? key.toISOString() : String(key));

/** Where a page ended: sort key and id of its last row, which order the list totally and independently of inserts. */
interface Position {
  key: string;
  id: string;
}

/** Opaque to clients. It contains the order's name: a list in another order refuses it. */
export const encodeCursor = (order: string, { key, id }: Position): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString('base64url');

/** @throws DomainError MALFORMED_CURSOR */
export function decodeCursor(cursor: string, order: string, type: 'text' | 'timestamptz'): Position {
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(parts) || parts.length !== 3) throw new DomainError('MALFORMED_CURSOR');
  const [name, key, id] = parts as unknown[];
  if (name !== order || typeof key !== 'string' || typeof id !== 'string' || !UUID_PATTERN.test(id))
    throw new DomainError('MALFORMED_CURSOR');
  if (key.includes('\0') || (type === 'timestamptz' && !isMoment(key)))
    throw new DomainError('MALFORMED_CURSOR');
  return { key, id };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // refused like any other foreign cursor
  }
}

/** Totals up to this are counted for every page: that costs the same for any length of the list. */
const COUNTED_EACH_TIME = 1_000;
/** Milliseconds for which a larger total is cached. */
const REMEMBERED = 2_000;
/** Totals in the cache at most. */
const MOST = 500;

const totals = new LRUCache<string, Promise<number>>({ max: MOST, ttl: REMEMBERED, updateAgeOnGet: false });

/**
 * How many rows the query finds: exactly up to COUNTED_EACH_TIME, above as of at most two seconds ago, so that the cost of a page
 * does not grow with its list. Concurrent callers share one count.
 */
async function countRows(query: SelectQueryBuilder<ObjectLiteral>): Promise<number> {
  const all = query.clone().orderBy().select('1', 'row');
  const key = JSON.stringify(all.getQueryAndParameters());
  const known = totals.get(key);
  if (known !== undefined) return known;
  const few = await count(all.clone().limit(COUNTED_EACH_TIME + 1));
  return few <= COUNTED_EACH_TIME ? few : countMany(key, all);
}

function countMany(key: string, all: SelectQueryBuilder<ObjectLiteral>): Promise<number> {
  const meanwhile = totals.get(key);
  if (meanwhile !== undefined) return meanwhile;
  const total = count(all);
  totals.set(key, total);
  total.catch(() => totals.delete(key)); // the callers see the error; the next one counts again
  return total;
}

async function count(rows: SelectQueryBuilder<ObjectLiteral>): Promise<number> {
  const row = await rows
    .createQueryBuilder()
    .select('count(*)::integer', 'total')
    .from(`(${rows.getQuery()})`, 'matching')
    .setParameters(rows.getParameters())
    .getRawOne<{ total: number }>();
  return row?.total ?? 0;
}

/** A LIKE pattern for what contains `text` literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
