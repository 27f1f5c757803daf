import { databaseForTests } from '@meetmark/platform/testing/database-for-tests';
import { SCHEMAS } from '../migrations.js';

const database = databaseForTests();

it('all names and titles in the database use the root collation of ICU', async () => {
  const { rows } = await database.owner.query<{ name: string }>(
    `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace::regnamespace::text = ANY ($1) AND relkind IN ('r', 'v') AND atttypid = 'text'::regtype
       AND attname ~ '(^|_)(name|title)$|^added_as$' AND attcollation <> '"und-x-icu"'::regcollation ORDER BY 1`,
    [SCHEMAS],
  );
  expect(rows.map(({ name }) => name)).toEqual([]);
});
