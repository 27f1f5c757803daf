import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate, type MigrationOwner } from './migrate.js';

class Things1795000000000 implements MigrationInterface {
  name = 'Things1795000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table sample.things (id int constraint things_pkey primary key)');
    await runner.query('grant select, insert on sample.things to meetmark_sample');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table sample.things');
  }
}

class Broken1795000000001 implements MigrationInterface {
  name = 'Broken1795000000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table sample.half (id int)');
    await runner.query('this is not SQL');
  }
  down(): Promise<void> {
    return Promise.resolve();
  }
}

const owner: MigrationOwner = {
  schema: 'sample',
  role: 'meetmark_sample',
  migrations: [Things1795000000000],
};

describe('the migrator', () => {
  let database: TestDatabase;
  const run = (password = 'first', owners = [owner]) =>
    migrate({ url: database.url, passwords: { meetmark_sample: password }, owners });
  const asRole = async (password: string, statement: string) => {
    const url = Object.assign(new URL(database.url), { username: 'meetmark_sample', password });
    const client = new Client({ connectionString: url.href });
    await client.connect();
    return client.query(statement).finally(() => client.end());
  };

  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  it('makes role, schema and tables once, though run twice at the same time and again', async () => {
    const names = await Promise.all([run(), run()]);
    expect(names.flat()).toEqual(['sample: Things1795000000000']);
    expect(await run()).toEqual([]);
  });

  it('lets the role into its own schema first, with the rights that its migrations gave', async () => {
    await run('it\'s "quoted"');
    const password = 'it\'s "quoted"';
    expect((await asRole(password, 'insert into things values (1) returning id')).rows).toEqual([{ id: 1 }]);
    await expect(asRole(password, 'delete from things')).rejects.toMatchObject({ code: '42501' });
    await expect(asRole(password, 'create table mine (id int)')).rejects.toMatchObject({ code: '42501' });
    await expect(asRole(password, 'select * from migrations')).rejects.toMatchObject({ code: '42501' });
  });

  it('undoes a migration that fails, and keeps those before it', async () => {
    const broken = { ...owner, migrations: [Things1795000000000, Broken1795000000001] };
    await expect(run('first', [broken])).rejects.toThrow('syntax error');
    await expect(asRole('first', 'select * from half')).rejects.toMatchObject({ code: '42P01' });
    expect(await run()).toEqual([]);
  });
});
