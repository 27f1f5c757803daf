import { Redis } from 'ioredis';
import pg from 'pg';
import { beforeCommit, emptyTables, startRedis, testDatabase, testRedis } from '../index.js';

async function query(connectionString: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('the test harness', () => {
  it('gives each test its own database', async () => {
    const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
    await query(one.url, 'CREATE TABLE only_here (id int)');
    await expect(query(other.url, 'SELECT * FROM only_here')).rejects.toMatchObject({ code: '42P01' });
    await Promise.all([one.drop(), other.drop()]);
  });

  it('gives each role its own search path but no access to other schemas', async () => {
    const database = await testDatabase();
    expect((await query(database.urlFor('meetmark_auth'), 'SELECT id FROM users')).rows).toEqual([]);
    const trespass = query(database.urlFor('meetmark_events'), 'SELECT password_hash FROM auth.users');
    await expect(trespass).rejects.toMatchObject({ code: '42501' });
    await database.drop();
  });

  it.each([3, 2_000])('empties a table of %d rows and referring tables without triggers', async (rows) => {
    const database = await testDatabase();
    const owner = new pg.Pool({ connectionString: database.url });
    await owner.query(
      `CREATE TABLE things (id int PRIMARY KEY, words text);
       CREATE TABLE parts (thing int NOT NULL REFERENCES things);
       CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$;
       CREATE TRIGGER kept BEFORE DELETE ON parts FOR EACH ROW EXECUTE FUNCTION refuse();
       INSERT INTO things SELECT n, repeat('word ', 100) FROM generate_series(1, ${rows}) AS n;
       INSERT INTO parts SELECT id FROM things`,
    );
    const written = ["INSERT INTO things VALUES (0, 'written meanwhile')"] as [string];
    await beforeCommit(owner, written, () => emptyTables(owner, ['things']));
    const left = await owner.query('SELECT id FROM things UNION ALL SELECT thing FROM parts');
    expect(left.rows).toEqual([]);
    await expect(owner.query('INSERT INTO parts VALUES (1)')).rejects.toMatchObject({ code: '23503' });
    await owner.end();
    await database.drop();
  });

  it('gives each test its own Redis database', async () => {
    const [one, other] = (await Promise.all([testRedis(), testRedis()])).map(
      ({ ownerUrl }) => new Redis(ownerUrl),
    );
    await one?.set('key', 'value');
    expect(await other?.get('key')).toBeNull();
    one?.disconnect();
    other?.disconnect();
  });

  it('keeps the data of a private Redis after a kill and restart', async () => {
    const server = await startRedis();
    const client = new Redis(server.ownerUrl);
    client.on('error', () => {});
    await client.set('key', 'value');
    await server.kill('SIGKILL');
    await server.restart();
    expect(await client.get('key')).toBe('value');
    client.disconnect();
    await server.stop();
  });

  it('names the user, command and key if Redis rejected a command', async () => {
    const server = await startRedis();
    const gateway = new Redis(server.urlFor('gateway'));
    const script = "return redis.call('GET', KEYS[1])";
    await expect(gateway.eval(script, 1, 'user:1')).rejects.toThrow(/permission/);
    gateway.disconnect();
    const named = 'Redis refused its users: gateway: key user:1, by eval';
    await expect(server.kill('SIGKILL')).rejects.toThrow(named);
    await expect(server.stop()).rejects.toThrow(named);
  });
});
