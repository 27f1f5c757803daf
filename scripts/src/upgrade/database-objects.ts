import type { Client } from 'pg';
import { SCHEMAS } from '../migrations.js';

/** Definitions and rights by object, such as `view auth.member_card`. */
type Objects = Record<string, string>;

const rightsOf = (list: string, kind: string, owner: string) =>
  `ARRAY (SELECT unnest(coalesce(${list}, acldefault('${kind}', ${owner})))::text ORDER BY 1)::text`;
const IN_SCHEMAS = 'nspname = ANY ($1)';

/** What files hold: functions, views, and the triggers that run functions of ours. */
const CODE = `
  SELECT 'function ' || pg_proc.oid::regprocedure AS name, pg_get_functiondef(pg_proc.oid) || ${rightsOf('proacl', 'f', 'proowner')} AS definition
  FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace AND ${IN_SCHEMAS}
  UNION ALL
  SELECT 'view ' || pg_class.oid::regclass, pg_get_viewdef(pg_class.oid) || ${rightsOf('relacl', 'r', 'relowner')} || ARRAY (
    SELECT attname || attacl::text FROM pg_attribute WHERE attrelid = pg_class.oid AND attacl IS NOT NULL ORDER BY 1)::text
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS} WHERE relkind = 'v'
  UNION ALL
  SELECT 'trigger ' || tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(pg_trigger.oid) || tgenabled::text
  FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid JOIN pg_namespace ON pg_namespace.oid = pronamespace AND ${IN_SCHEMAS}
  WHERE NOT tgisinternal`;

/** What migrations hold. Of constraints without parentheses, as a dump has others. */
const TABLES = `
  SELECT 'column ' || attrelid::regclass || '.' || attname AS name,
    concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attgenerated, attacl) AS definition
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS} AND relkind = 'r'
  JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  UNION ALL
  SELECT 'table ' || pg_class.oid::regclass, ${rightsOf('relacl', 'r', 'relowner')}
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS} WHERE relkind = 'r'
  UNION ALL
  SELECT 'constraint ' || conrelid::regclass || '.' || conname, translate(pg_get_constraintdef(pg_constraint.oid), '()', '')
  FROM pg_constraint JOIN pg_namespace ON pg_namespace.oid = connamespace AND ${IN_SCHEMAS}
  UNION ALL
  SELECT 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS}`;

async function objects(client: Client, statement: string): Promise<Objects> {
  await client.query("SET search_path = ''"); // every name with its schema
  const { rows } = await client.query<{ name: string; definition: string }>(statement, [SCHEMAS]);
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

export const codeOf = (client: Client): Promise<Objects> => objects(client, CODE);

export const tablesOf = (client: Client): Promise<Objects> => objects(client, TABLES);
