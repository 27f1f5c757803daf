import type { Client } from 'pg';
import { SCHEMAS } from '../migrations.js';

/** Definitions, owners and rights by object, such as `view auth.member_card`. */
type Objects = Record<string, string>;

const rightsOf = (list: string, kind: string, owner: string) =>
  `concat_ws(' ', ' owner', ${owner}::regrole, ARRAY (SELECT unnest(coalesce(${list}, acldefault('${kind}', ${owner})))::text ORDER BY 1))`;
const rightsOfColumns = (relation: string) => `ARRAY (
  SELECT attname || acl::text FROM pg_attribute, unnest(attacl) AS acl WHERE attrelid = ${relation} ORDER BY 1)::text`;
const IN_SCHEMAS = 'nspname = ANY ($1)';

/** What files hold: functions, views, and the triggers that run functions of ours. */
const CODE = `
  SELECT 'function ' || pg_proc.oid::regprocedure AS name, pg_get_functiondef(pg_proc.oid) || ${rightsOf('proacl', 'f', 'proowner')} AS definition
  FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace AND ${IN_SCHEMAS}
  UNION ALL
  SELECT 'view ' || pg_class.oid::regclass, pg_get_viewdef(pg_class.oid, true) || ${rightsOf('relacl', 'r', 'relowner')}
    || ${rightsOfColumns('pg_class.oid')}
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS} WHERE relkind = 'v'
  UNION ALL
  SELECT 'trigger ' || tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(pg_trigger.oid, true) || tgenabled::text
  FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid JOIN pg_namespace ON pg_namespace.oid = pronamespace AND ${IN_SCHEMAS}
  WHERE NOT tgisinternal`;

/**
 * What the baseline and the migrations hold; the order of columns too, which a backup goes by. Expressions have the parentheses that they
 * need, because those that were read from a dump have others beside these.
 */
const TABLES = `
  SELECT 'schema ' || nspname AS name, ${rightsOf('nspacl', 'n', 'nspowner')} AS definition FROM pg_namespace WHERE ${IN_SCHEMAS}
  UNION ALL
  SELECT 'extension ' || extname, extnamespace::regnamespace::text FROM pg_extension
  UNION ALL
  SELECT 'type ' || pg_type.oid::regtype, concat_ws(' ', typtype, format_type(typbasetype, typtypmod), ARRAY (
    SELECT enumlabel FROM pg_enum WHERE enumtypid = pg_type.oid ORDER BY enumsortorder)) || ${rightsOf('typacl', 'T', 'typowner')}
  FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace AND ${IN_SCHEMAS} WHERE typrelid = 0 AND typelem = 0
  UNION ALL
  SELECT CASE relkind WHEN 'r' THEN 'table ' ELSE 'relation ' || relkind::text || ' ' END || pg_class.oid::regclass,
    concat_ws(' ', relpersistence, relrowsecurity, relforcerowsecurity, relreplident, reloptions)
    || ${rightsOf('relacl', 'r', 'relowner')} || ${rightsOfColumns('pg_class.oid')}
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS} WHERE relkind NOT IN ('v', 'i')
  UNION ALL
  SELECT 'column ' || attrelid::regclass || '.' || attname,
    concat_ws(' ', format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, pg_get_expr(adbin, adrelid, true),
      'generated', attgenerated, attidentity, attstorage, attcompression,
      'as number', row_number() OVER (PARTITION BY attrelid ORDER BY attnum))
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS} AND relkind = 'r'
  JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  UNION ALL
  SELECT 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(pg_constraint.oid, true)
  FROM pg_constraint JOIN pg_namespace ON pg_namespace.oid = connamespace AND ${IN_SCHEMAS}
  UNION ALL
  SELECT 'index ' || indexrelid::regclass, concat_ws(' ', pg_get_indexdef(indexrelid, 0, true), indisvalid, indisclustered)
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS}
  UNION ALL
  SELECT 'trigger ' || tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(pg_trigger.oid, true)
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace AND ${IN_SCHEMAS}
  WHERE NOT tgisinternal`;

async function objects(client: Client, statement: string): Promise<Objects> {
  await client.query("SET search_path = ''"); // every name with its schema
  const { rows } = await client.query<{ name: string; definition: string }>(statement, [SCHEMAS]);
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

export const codeOf = (client: Client): Promise<Objects> => objects(client, CODE);

export const tablesOf = (client: Client): Promise<Objects> => objects(client, TABLES);
