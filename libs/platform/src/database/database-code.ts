import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * The folder has one SQL file per view and one per function. A function's file also contains its triggers.
 */
export interface DatabaseCode {
  folder: string;
  values?: Record<string, string>;
}

type Kind = 'FUNCTION' | 'VIEW' | 'TRIGGER';

export interface Part {
  kind: Kind;
  name: string;
  file: string;
  sql: string;
  /** Source file and digest, stored as the database object's comment. */
  comment: string;
}

export type Query = (statement: string, values?: unknown[]) => Promise<Record<string, string | null>[]>;

/**
 * Root of the repository. The relative path is the same in sources, build output, bundles and container
 * images.
 */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** @param file path from the repository's root */
export const readSql = (file: string): string => readFileSync(path.resolve(ROOT, file), 'utf8');
const BASELINE = 'baseline.sql';
const BEGIN = /^CREATE (?:OR REPLACE )?(FUNCTION|VIEW|TRIGGER) ([\w.]+)/m;
const BEFORE_TRIGGER = /\n\n(?=(?:--.*\n)*CREATE OR REPLACE TRIGGER )/;

/**
 * Orders the parts by dependency.
 * @throws Error if a file's name differs from what it defines, or if a placeholder is unknown or unused
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
  const files = readdirSync(path.resolve(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.sql') && file !== BASELINE,
  );
  const parts = files.sort().flatMap((file) => {
    const text = fill(file, readSql(path.join(folder, file)));
    const [main, ...triggers] = text.split(BEFORE_TRIGGER).map((sql) => parsePart(`${folder}/${file}`, sql));
    if (main?.name !== `${schema}.${path.basename(file, '.sql')}`)
      throw new Error(`${folder}/${file} makes ${main?.name}`);
    return [main, ...triggers];
  });
  if (unused.size > 0) throw new Error(`${folder} has no {{${[...unused].join('}}, {{')}}}`);
  return inOrder(parts);
}

function parsePart(file: string, sql: string): Part {
  const [, kind, name] = BEGIN.exec(sql) ?? [];
  const table = kind === 'TRIGGER' ? /\sON\s+([\w.]+)/.exec(sql)?.[1] : '';
  if (kind === undefined || table === undefined)
    throw new Error(`${file} is no function, view or trigger: ${sql}`);
  const digest = createHash('sha256').update(sql).digest('hex');
  const whole = kind === 'TRIGGER' ? `${name} ON ${table}` : `${name}`;
  return { kind: kind as Kind, name: whole, file, sql, comment: `${file} ${digest}` };
}

function inOrder(parts: Part[]): Part[] {
  const others = parts.filter(({ kind }) => kind !== 'TRIGGER');
  const placed = new Set<Part>();
  const ordered: Part[] = [];
  const place = (part: Part) => {
    if (placed.has(part)) return;
    placed.add(part); // Marked before its dependencies, because functions may call each other.
    const named = new Set(part.sql.replaceAll(/^\s*--.*$/gm, '').match(/\w+\.\w+/g));
    for (const other of others) if (named.has(other.name)) place(other);
    ordered.push(part);
  };
  others.forEach(place);
  return [...ordered, ...parts.filter(({ kind }) => kind === 'TRIGGER')];
}

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

/** Returns the parts that differ from the database. Runs one query, which doesn't wait for locks. */
export async function outdated(query: Query, schema: string, parts: Part[]): Promise<Part[]> {
  const present = await presentObjects(query, schema);
  return parts.filter(({ kind, name, comment }) => present.get(`${kind} ${name}`)?.comment !== comment);
}

async function presentObjects(query: Query, schema: string) {
  const rows = await query(PRESENT, [schema]);
  return new Map(rows.map(({ object, ...present }) => [object, present]));
}

/**
 * Milliseconds. Shorter than PostgreSQL's deadlock timeout (1 s). So this code gives up first, and PostgreSQL
 * never aborts other writers.
 */
const LOCK_TIMEOUT = 100;
/** Milliseconds. */
const BETWEEN_ATTEMPTS = 50;
const LAST_ATTEMPT = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Creates or replaces the parts and resets their rights to those in the file. Locks only these parts and
 * releases the locks before each retry.
 * @throws Error naming the file, also if another transaction holds a lock for over five seconds
 */
export async function loadCode(query: Query, schema: string, parts: Part[]): Promise<void> {
  const present = await presentObjects(query, schema);
  const end = Date.now() + LAST_ATTEMPT;
  for (;;) {
    // With an empty search_path, names without a schema refer only to PostgreSQL's own objects.
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
