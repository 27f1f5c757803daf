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

/** Rows of a list in one order. */
export interface KeysetPart<Row extends ObjectLiteral> {
  query: SelectQueryBuilder<Row>;
  order: KeysetOrder;
  /** After which they begin. A condition of the query would be read from instead of the cursor. */
  begin?: Position;
}

/** Must not be the name of a column. */
const SORT_KEY = 'keyset_sort_key';

/**
 * One page of what the query finds; without a limit all of it, up to LIMITS.listMax rows. One statement for a list that ends there, two
 * or three for a longer one. Rows inserted between two pages neither repeat nor hide others. `counted` is a cheaper query with as many rows.
 * @throws DomainError MALFORMED_CURSOR
 */
export const keysetPage = <Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  request: PageRequest,
  order: KeysetOrder,
  counted: SelectQueryBuilder<ObjectLiteral> = query.clone(),
): Promise<Page<Row>> => keysetPageOf([{ query, order }], request, counted);

/**
 * As keysetPage, of a list of several parts, whose orders have different names: where one ends, the page goes on with the next, which takes
 * another statement.
 * @throws DomainError MALFORMED_CURSOR
 */
export async function keysetPageOf<Row extends ObjectLiteral>(
  parts: KeysetPart<Row>[],
  { limit, cursor }: PageRequest,
  counted: SelectQueryBuilder<ObjectLiteral>,
): Promise<Page<Row>> {
  const first = cursor === undefined ? 0 : parts.findIndex(({ order }) => order.name === orderOf(cursor));
  if (first < 0) throw new DomainError('MALFORMED_CURSOR');
  const size = limit ?? LIMITS.listMax;
  const rows: { entity: Row; key: Date | string | undefined; order: string }[] = [];
  for (const part of parts.slice(first)) {
    const { query, order } = part;
    const after =
      cursor !== undefined && order.name === orderOf(cursor)
        ? decodeCursor(cursor, order.name, order.type)
        : part.begin;
    // One row beyond the page shows whether another page follows.
    const { raw, entities } = await sorted(query, order, after)
      .limit(size + 1 - rows.length)
      .getRawAndEntities<Record<string, Date | string>>();
    rows.push(
      ...entities.map((entity, index) => ({ entity, key: raw[index]?.[SORT_KEY], order: order.name })),
    );
    if (rows.length > size) break;
  }
  const { items, nextCursor } = cutPage(rows, size, rows[size - 1]?.order ?? '', ({ entity, key }) => ({
    key,
    id: String(entity['id']),
  }));
  const isWhole = cursor === undefined && nextCursor === null;
  const total = isWhole ? items.length : await countRows(counted);
  return { items: items.map(({ entity }) => entity), total, nextCursor };
}

function sorted<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  order: KeysetOrder,
  after: Position | undefined,
): SelectQueryBuilder<Row> {
  query
    // Parentheses keep it an expression: a bare column would be selected under this name only, not for the entity.
    .addSelect(`(${order.key})`, SORT_KEY)
    .orderBy(SORT_KEY, order.direction)
    .addOrderBy(order.id, order.direction);
  if (after === undefined) return query;
  const beyond = order.direction === 'ASC' ? '>' : '<';
  return query.andWhere(`(${order.key}, ${order.id}) ${beyond} (:afterKey::${order.type}, :afterId::uuid)`, {
    afterKey: after.key,
    afterId: after.id,
  });
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

/** The name of the order of the list to which the cursor belongs; undefined for what is no cursor. */
export function orderOf(cursor: string): string | undefined {
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  return Array.isArray(parts) && typeof parts[0] === 'string' ? parts[0] : undefined;
}

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
