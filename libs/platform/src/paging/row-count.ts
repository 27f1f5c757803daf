import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { BoundedMap } from '../caching/bounded-map.js';

/** Totals up to this are counted for every page; that costs the same however long the list is. */
export const COUNTED_EACH_TIME = 1_000;
/** Milliseconds for which a greater total is remembered. */
const REMEMBERED = 2_000;
/** Totals remembered at most. */
const MOST = 500;

interface Remembered {
  total: Promise<number>;
  until: number;
}

const remembered = new BoundedMap<string, Remembered>(MOST);

/**
 * How many rows the query finds: exactly, unless there are more than COUNTED_EACH_TIME; then as of at most two seconds ago,
 * so that the price of a page does not grow with its list. Those who ask at the same time wait for the same counting.
 */
export async function countRows(query: SelectQueryBuilder<ObjectLiteral>): Promise<number> {
  const all = query.clone().orderBy().select('1', 'row');
  const key = JSON.stringify(all.getQueryAndParameters());
  const before = remembered.get(key);
  if (before !== undefined && before.until > Date.now()) return before.total;
  const few = await count(all.clone().limit(COUNTED_EACH_TIME + 1));
  return few <= COUNTED_EACH_TIME ? few : countMany(key, all);
}

function countMany(key: string, all: SelectQueryBuilder<ObjectLiteral>): Promise<number> {
  const meanwhile = remembered.get(key);
  if (meanwhile !== undefined && meanwhile.until > Date.now()) return meanwhile.total;
  const total = count(all);
  remembered.set(key, { total, until: Date.now() + REMEMBERED });
  total.catch(() => remembered.delete(key)); // whoever asked is told; the next one counts anew
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
