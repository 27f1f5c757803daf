import type { Client } from 'pg';
import { SCHEMAS } from '../migrations.js';

export interface StoredTable {
  /** With its schema, quoted where that is needed: ready for a statement. */
  name: string;
  columns: string[];
}

/** The migrator's own book in each schema: describes the structure, which no backup carries. */
const LEDGER = 'migrations';

/** Every table of ours, the referenced before those that reference them. @throws Error when references go round in a circle */
export async function storedTables(client: Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable & { needs: string[] }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name,
            ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                   ORDER BY a.attnum) AS columns,
            ARRAY(SELECT format('%I.%I', fn.nspname, f.relname)
                    FROM pg_constraint k
                    JOIN pg_class f ON f.oid = k.confrelid
                    JOIN pg_namespace fn ON fn.oid = f.relnamespace
                   WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid <> c.oid) AS needs
       FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname = ANY ($1) AND c.relname <> $2
      ORDER BY 1`,
    [SCHEMAS, LEDGER],
  );
  return referencedFirst(rows).map(({ name, columns }) => ({ name, columns }));
}

/** Names of the migrations that made the structure, by schema: data fit the structure they were taken from. */
export async function appliedMigrations(client: Client): Promise<Record<string, string[]>> {
  const applied: Record<string, string[]> = {};
  for (const schema of SCHEMAS) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT name FROM ${client.escapeIdentifier(schema)}.${LEDGER} ORDER BY name`,
    );
    applied[schema] = rows.map(({ name }) => name);
  }
  return applied;
}

function referencedFirst<Table extends { name: string; needs: string[] }>(tables: Table[]): Table[] {
  const sorted: Table[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const free = waiting.filter(({ needs }) =>
      needs.every((name) => sorted.some((done) => done.name === name)),
    );
    if (free.length === 0)
      throw new Error(`These tables reference each other: ${waiting.map(({ name }) => name).join(', ')}`);
    sorted.push(...free);
    waiting = waiting.filter((table) => !free.includes(table));
  }
  return sorted;
}
