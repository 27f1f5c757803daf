import { escapeIdentifier, escapeLiteral, type Client } from 'pg';

/** Roles belong to the whole server, so another database's migrator may make the same one at this moment. */
const MADE_MEANWHILE = new Set(['42710', '23505']);

/** Roles without any right of their own. A new one cannot sign in before admitRoles(). */
export async function ensureRoles(client: Client, roles: string[]): Promise<void> {
  for (const role of new Set(roles)) {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    if (rowCount === 0) await createRole(client, role);
  }
}

async function createRole(client: Client, role: string): Promise<void> {
  try {
    await client.query(`create role ${escapeIdentifier(role)}`);
  } catch (error) {
    if (!MADE_MEANWHILE.has((error as { code?: string }).code ?? '')) throw error;
  }
}

/** Lets each role sign in with its password. */
export async function admitRoles(client: Client, passwords: Record<string, string>): Promise<void> {
  for (const [role, password] of Object.entries(passwords))
    await client.query(`alter role ${escapeIdentifier(role)} login password ${escapeLiteral(password)}`);
}

/** Nobody may make anything in `public`; each owner has a schema. */
export async function ensureSchemas(client: Client, schemas: string[]): Promise<void> {
  await client.query('revoke create on schema public from public');
  for (const schema of schemas) await client.query(`create schema if not exists ${escapeIdentifier(schema)}`);
}

/** The owner's role sees its schema first. What it may do there, table by table, is granted by the migrations themselves. */
export async function openOwnSchema(
  client: Client,
  { schema, role }: { schema: string; role: string },
): Promise<void> {
  const [inSchema, to] = [escapeIdentifier(schema), escapeIdentifier(role)];
  await client.query(`grant usage on schema ${inSchema} to ${to}`);
  const database = escapeIdentifier(client.database ?? '');
  await client.query(`alter role ${to} in database ${database} set search_path = ${inSchema}, public`);
}
