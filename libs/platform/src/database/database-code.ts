import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The functions, triggers and views of a schema, as files of SQL: one for each function, with the triggers that run it, and one for each view. */
export interface DatabaseCode {
  /** From the root of the repository. */
  folder: string;
  /** What the files have in place of `{{name}}`. */
  values?: Record<string, string>;
}

type Kind = 'FUNCTION' | 'VIEW' | 'TRIGGER';

/** One object and the SQL that makes it. */
export interface Part {
  kind: Kind;
  /** With its schema; of a trigger with its table: `outbox_message_done ON events.outbox`. */
  name: string;
  file: string;
  sql: string;
  /** Where it is written, and a digest of it: the comment of the object in the database, which goes with the object. */
  comment: string;
}

/** Resolves with the rows. */
export type Query = (statement: string, values?: unknown[]) => Promise<Record<string, string | null>[]>;

/** Sources, what is built of them, and a bundle of that lie equally deep; images have the files where the repository has them. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** @param file from the root of the repository */
export const readSql = (file: string): string => readFileSync(path.resolve(ROOT, file), 'utf8');
/** Stands in the same folder, and makes the tables that the migrations go on from. */
export const BASELINE = 'baseline.sql';
const BEGIN = /^CREATE (?:OR REPLACE )?(FUNCTION|VIEW|TRIGGER) ([\w.]+)/m;
const BEFORE_TRIGGER = /\n\n(?=(?:--.*\n)*CREATE OR REPLACE TRIGGER )/;

/**
 * What the files make, in an order in which it can be made.
 * @throws Error for a file that makes something else than it is named after, and for a placeholder that is unknown or in no file
 */
export function readCode(schema: string, { folder, values = {} }: DatabaseCode): Part[] {
  const unused = new Set(Object.keys(values));
  const fill = (file: string, text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${folder}/${file}: ${placeholder} stands for nothing`);
      unused.delete(name);
      return value;
    });
  const files = readdirSync(path.resolve(ROOT, folder)).filter(
    (file) => file.endsWith('.sql') && file !== BASELINE,
  );
  const parts = files.sort().flatMap((file) => {
    const text = fill(file, readSql(path.join(folder, file)));
    const [main, ...triggers] = text.split(BEFORE_TRIGGER).map((sql) => partOf(`${folder}/${file}`, sql));
    if (main?.name !== `${schema}.${path.basename(file, '.sql')}`)
      throw new Error(`${folder}/${file} makes ${main?.name}`);
    return [main, ...triggers];
  });
  if (unused.size > 0) throw new Error(`${folder} has no {{${[...unused].join('}}, {{')}}}`);
  return inOrder(parts);
}

function partOf(file: string, sql: string): Part {
  const [, kind, name] = BEGIN.exec(sql) ?? [];
  const table = kind === 'TRIGGER' ? /\sON\s+([\w.]+)/.exec(sql)?.[1] : '';
  if (kind === undefined || table === undefined)
    throw new Error(`${file} is no function, view or trigger: ${sql}`);
  const digest = createHash('sha256').update(sql).digest('hex');
  const whole = kind === 'TRIGGER' ? `${name} ON ${table}` : `${name}`;
  return { kind: kind as Kind, name: whole, file, sql, comment: `${file} ${digest}` };
}

/** What another one names comes before it, triggers after all else. */
function inOrder(parts: Part[]): Part[] {
  const others = parts.filter(({ kind }) => kind !== 'TRIGGER');
  const placed = new Set<Part>();
  const ordered: Part[] = [];
  const place = (part: Part) => {
    if (placed.has(part)) return;
    placed.add(part); // before those that it names: two functions may call each other
    const named = new Set(part.sql.replaceAll(/^\s*--.*$/gm, '').match(/\w+\.\w+/g));
    for (const other of others) if (named.has(other.name)) place(other);
    ordered.push(part);
  };
  others.forEach(place);
  return [...ordered, ...parts.filter(({ kind }) => kind === 'TRIGGER')];
}

/** Of each function, view and trigger of a schema, a trigger being where its function is: comment, and who has rights beside the owner. */
const PRESENT = `
  SELECT 'FUNCTION ' || $1::text || '.' || proname AS object, obj_description(oid, 'pg_proc') AS comment, (
    SELECT string_agg(DISTINCT grantee::regrole::text, ', ') FROM aclexplode(proacl) WHERE grantee NOT IN (0, proowner)) AS others
  FROM pg_proc WHERE pronamespace = $1::text::regnamespace
  UNION ALL
  SELECT 'VIEW ' || $1::text || '.' || relname, obj_description(oid, 'pg_class'), (
    SELECT string_agg(DISTINCT grantee::regrole::text, ', ')
    FROM (SELECT relacl UNION ALL SELECT attacl FROM pg_attribute WHERE attrelid = view.oid) AS lists (acl), aclexplode(acl)
    WHERE grantee NOT IN (0, relowner))
  FROM pg_class AS view WHERE relnamespace = $1::text::regnamespace AND relkind = 'v'
  UNION ALL
  SELECT 'TRIGGER ' || tgname || ' ON ' || relnamespace::regnamespace || '.' || relname,
    obj_description(pg_trigger.oid, 'pg_trigger'), NULL
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
  WHERE pronamespace = $1::text::regnamespace AND NOT tgisinternal`;

/** What the database lacks, or has of another text: one query, which waits for no lock. */
export async function outdated(query: Query, schema: string, parts: Part[]): Promise<Part[]> {
  const present = await presentObjects(query, schema);
  return parts.filter(({ kind, name, comment }) => present.get(`${kind} ${name}`)?.comment !== comment);
}

async function presentObjects(query: Query, schema: string) {
  const rows = await query(PRESENT, [schema]);
  return new Map(rows.map(({ object, ...present }) => [object, present]));
}

/**
 * Milliseconds for one lock. A process that writes to the same tables in another order waits that long, and not until PostgreSQL finds a
 * deadlock (a second) and ends one of the two.
 */
const LOCK_TIMEOUT = 100;
/** Milliseconds between two attempts, and after which none begins. */
const BETWEEN_ATTEMPTS = 50;
const LAST_ATTEMPT = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Brings these into the database, in the caller's transaction, and takes locks for them alone. Without a lock it lets go of all and begins
 * anew. Rights are those of the file: a role that had others loses them.
 * @throws Error that names the file, also where a lock is held for more than five seconds
 */
export async function loadCode(query: Query, schema: string, parts: Part[]): Promise<void> {
  const present = await presentObjects(query, schema);
  const end = Date.now() + LAST_ATTEMPT;
  for (;;) {
    // the files name schemas, and mean one of PostgreSQL itself where they name none
    await query(`SAVEPOINT code; SET LOCAL search_path = ''; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    try {
      for (const part of parts)
        await loadPart(query, part, present.get(`${part.kind} ${part.name}`)?.['others']);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || Date.now() > end) throw error;
      await query('ROLLBACK TO SAVEPOINT code');
      await pause(BETWEEN_ATTEMPTS);
    }
  }
}

/** @param others roles that have rights, beside the owner */
async function loadPart(query: Query, { kind, name, file, sql, comment }: Part, others?: string | null) {
  try {
    if (others) await query(`REVOKE ALL ON ${kind === 'VIEW' ? 'TABLE' : kind} ${name} FROM ${others}`);
    await query(sql);
    await query(`COMMENT ON ${kind} ${name} IS '${comment}'`);
  } catch (error) {
    if (error instanceof Error) error.message = `${file}: ${error.message}`;
    throw error;
  }
}
