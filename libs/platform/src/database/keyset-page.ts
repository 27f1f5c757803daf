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
  name: string;
  /** SQL expression in the collation of its index. Never null. `id` orders rows with equal keys. */
  key: string;
  /** Timestamps must not have microseconds, because cursors contain only milliseconds. */
  type: 'text' | 'timestamptz';
  id: string;
  direction: 'ASC' | 'DESC';
}

export interface KeysetPart<Row extends ObjectLiteral> {
  query: SelectQueryBuilder<Row>;
  order: KeysetOrder;
  /**
   * Position before the first row. Don't use a condition in the query, because it would override the cursor.
   */
  begin?: Position;
}

/** Must differ from all column names. */
const SORT_KEY = 'keyset_sort_key';

/**
 * Runs one to three statements. Rows inserted between two pages cause no gaps or repetitions.
 * @param counted a cheaper query for the total; by default the page's query
 * @throws DomainError MALFORMED_CURSOR
 */
export const keysetPage = <Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  request: PageRequest,
  order: KeysetOrder,
  counted: SelectQueryBuilder<ObjectLiteral> | null = query.clone(),
): Promise<Page<Row>> => fetchKeysetPage([{ query, order }], request, counted);

/**
 * Like keysetPage, for a list made of several queries. Each `order` needs its own name.
 * @throws DomainError MALFORMED_CURSOR
 */
export async function fetchKeysetPage<Row extends ObjectLiteral>(
  parts: KeysetPart<Row>[],
  { limit, cursor }: PageRequest,
  counted: SelectQueryBuilder<ObjectLiteral> | null,
): Promise<Page<Row>> {
  const first = cursor === undefined ? 0 : parts.findIndex(({ order }) => order.name === parseOrder(cursor));
  if (first < 0) throw new DomainError('MALFORMED_CURSOR');
  const size = limit ?? LIMITS.listMax;
  const rows: { entity: Row; key: Date | string | undefined; order: string }[] = [];
  for (const part of parts.slice(first)) {
    const { query, order } = part;
    const after =
      cursor !== undefined && order.name === parseOrder(cursor)
        ? decodeCursor(cursor, order.name, order.type)
        : part.begin;
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
  const total = isWhole || counted === null ? items.length : await countRows(counted, rows.length);
  return { items: items.map(({ entity }) => entity), total, nextCursor };
}

function sorted<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  order: KeysetOrder,
  after: Position | undefined,
): SelectQueryBuilder<Row> {
  query
    // TypeORM would rename a column, but not an expression in parentheses.
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

/** `rows` must contain one row more than the page if there is another page. */
export function cutPage<Row>(
  rows: Row[],
  size: number,
  order: string,
  getPosition: (last: Row) => { key: Date | string | undefined; id: string },
): Pick<Page<Row>, 'items' | 'nextCursor'> {
  const items = rows.slice(0, size);
  const last = items.at(-1);
  if (last === undefined || rows.length <= size) return { items, nextCursor: null };
  const { key, id } = getPosition(last);
  return { items, nextCursor: encodeCursor(order, { key: text(key), id }) };
}

const text = (key: Date | string | undefined) => (key instanceof Date ? key.toISOString() : String(key));

interface Position {
  key: string;
  id: string;
}

/** Clients must not interpret it. Contains the order's name, so that lists with another order reject it. */
export const encodeCursor = (order: string, { key, id }: Position): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString('base64url');

export function parseOrder(cursor: string): string | undefined {
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
    return undefined;
  }
}

const COUNTED_EACH_TIME = 1_000;
/** Milliseconds. */
const REMEMBERED = 2_000;
const MOST = 500;

const totals = new LRUCache<string, Promise<number>>({ max: MOST, ttl: REMEMBERED, updateAgeOnGet: false });

/**
 * Totals above COUNTED_EACH_TIME may be two seconds old, and concurrent callers share them.
 * @param atLeast rows known to exist
 */
async function countRows(query: SelectQueryBuilder<ObjectLiteral>, atLeast: number): Promise<number> {
  const all = query.clone().orderBy().select('1', 'row');
  const key = JSON.stringify(all.getQueryAndParameters());
  const known = totals.get(key);
  if (known !== undefined) return known;
  if (atLeast > COUNTED_EACH_TIME) return countMany(key, all);
  const few = await count(all.clone().limit(COUNTED_EACH_TIME + 1));
  return few <= COUNTED_EACH_TIME ? few : countMany(key, all);
}

function countMany(key: string, all: SelectQueryBuilder<ObjectLiteral>): Promise<number> {
  const meanwhile = totals.get(key);
  if (meanwhile !== undefined) return meanwhile;
  const total = count(all);
  totals.set(key, total);
  total.catch(() => totals.delete(key)); // Callers get the error. The next caller counts again.
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
