import { testDatabase } from '@meetmark/testing';
import { SCHEMAS } from '../migrations.js';
import { withClient } from '../with-client.js';

it('all names and titles in the database use the root collation of ICU', async () => {
  const database = await testDatabase();
  try {
    const others = await withClient(database.url, (client) =>
      client.query<{ name: string }>(
        `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
         WHERE relnamespace::regnamespace::text = ANY ($1) AND relkind IN ('r', 'v') AND atttypid = 'text'::regtype
           AND attname ~ '(^|_)(name|title)$|^added_as$' AND attcollation <> '"und-x-icu"'::regcollation ORDER BY 1`,
        [SCHEMAS],
      ),
    );
    expect(others.rows.map(({ name }) => name)).toEqual([]);
  } finally {
    await database.drop();
  }
});
