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

  it('lets a new role sign in only when every migration is in: until then its process waits', async () => {
    const whileMigrating: unknown[] = [];
    class Looks1795000000002 implements MigrationInterface {
      name = 'Looks1795000000002';
      async up(): Promise<void> {
        await asNewRole().catch((error: unknown) => whileMigrating.push((error as { code?: string }).code));
      }
      down(): Promise<void> {
        return Promise.resolve();
      }
    }
    const role = `meetmark_sample_${process.pid}`;
    const asNewRole = async () => {
      const url = Object.assign(new URL(database.url), { username: role, password: 'first' });
      const client = new Client({ connectionString: url.href });
      await client.connect();
      await client.end();
    };
    const migrations = [Looks1795000000002];
    const owners = [{ schema: 'sample', role, migrations }];
    try {
      await migrate({ url: database.url, passwords: { [role]: 'first' }, owners });
      expect(whileMigrating).toEqual(['28P01']);
      await asNewRole();
    } finally {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      await client.query(`drop owned by ${role}; drop role ${role}`).finally(() => client.end());
    }
  });

  it('undoes a migration that fails, and keeps those before it', async () => {
    const broken = { ...owner, migrations: [Things1795000000000, Broken1795000000001] };
    await expect(run('first', [broken])).rejects.toThrow('syntax error');
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const half = client.query('select * from sample.half').finally(() => client.end());
    await expect(half).rejects.toMatchObject({ code: '42P01' });
    expect(await run()).toEqual([]);
  });
});
