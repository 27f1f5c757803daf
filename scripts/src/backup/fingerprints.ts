import type { Client } from 'pg';
import type { StoredTable } from './stored-tables.js';

interface Fingerprint {
  rows: number;
  /** Sum of a hash of every row as text: the same whatever order the rows lie in. */
  checksum: string;
}

export type Fingerprints = Record<string, Fingerprint>;

/** What each table holds, by its name. The session's time zone has to be UTC: it decides how times are written. */
export async function fingerprints(client: Client, tables: StoredTable[]): Promise<Fingerprints> {
  const found: Fingerprints = {};
  for (const { name } of tables) {
    const { rows } = await client.query<Fingerprint>(
      `SELECT count(*)::int AS rows,
              coalesce(sum(('x' || left(md5(stored::text), 16))::bit(64)::bigint::numeric), 0)::text AS checksum
         FROM ${name} AS stored`,
    );
    if (rows[0]) found[name] = rows[0];
  }
  return found;
}

/** The tables in which the two differ. */
export function differences(expected: Fingerprints, actual: Fingerprints): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].filter(
    (name) =>
      expected[name]?.rows !== actual[name]?.rows || expected[name]?.checksum !== actual[name]?.checksum,
  );
}
