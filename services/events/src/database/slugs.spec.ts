import { testDatabase } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import pg from 'pg';

it('reads no other event’s slug to number a slug', async () => {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`BEGIN;
      INSERT INTO events.slugs (slug, event_id, words, number)
      SELECT 'evening-' || n, gen_random_uuid(), 'evening-' || n, 1 FROM generate_series(1, 5000) AS n;
      ANALYZE events.slugs`);
    const countRead = async () => {
      const { rows } = await client.query<{ read: number }>(
        `SELECT seq_tup_read::integer AS read FROM pg_stat_xact_user_tables WHERE relid = 'events.slugs'::regclass`,
      );
      return rows[0]!.read;
    };
    const before = await countRead();
    await insertEvent(client, { title: 'Evening' });
    expect((await countRead()) - before).toBe(0);
  } finally {
    await client.end();
    await database.drop();
  }
});
