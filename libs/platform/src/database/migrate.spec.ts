import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { migrate, type Migration, type MigrationOwner } from './migrate.js';

class Things1795000000000 implements Migration {
  name = 'Things1795000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table sample.things (id int constraint things_pkey primary key)');
    await runner.query('grant select, insert on sample.things to meetmark_sample');
  }
}

class Broken1795000000001 implements Migration {
  name = 'Broken1795000000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table sample.half (id int)');
    await runner.query('this is not SQL');
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
    try {
      return await client.query(statement);
    } finally {
      await client.end();
    }
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
    class Looks1795000000002 implements Migration {
      name = 'Looks1795000000002';
      async up(): Promise<void> {
        await asNewRole().catch((error: unknown) => whileMigrating.push((error as { code?: string }).code));
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
      await client.query(`drop owned by ${role}; drop role ${role}`);
      await client.end();
    }
  });

  it('undoes with a migration that fails those of the same owner before it', async () => {
    const broken = { ...owner, migrations: [Things1795000000000, Broken1795000000001] };
    await expect(run('first', [broken])).rejects.toThrow('syntax error');
    expect(await run()).toEqual(['sample: Things1795000000000']);
  });

  describe('and the baseline of an owner', () => {
    class More1795000000003 implements Migration {
      name = 'More1795000000003';
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('alter table sample.things add column more text');
      }
    }
    const BASELINE = 'Baseline1795000000002';
    const [first, second] = ['First1795000000000', 'Second20261121015500'];
    const MORE = [`sample: ${More1795000000003.name}`];
    let released: MigrationOwner;
    let client: Client;
    const ledger = async () =>
      (
        await client.query('select timestamp, name from sample.migrations order by id').catch(() => ({
          rows: [],
        }))
      ).rows;
    const columns = async () =>
      (
        await client.query<{ name: string }>(
          "select attname as name from pg_attribute where attrelid = to_regclass('sample.things') and attnum > 0",
        )
      ).rows.map(({ name }) => name);
    const NAMES = [first, second, BASELINE, More1795000000003.name];

    beforeEach(async () => {
      const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'baseline-')), 'baseline.sql');
      fs.writeFileSync(
        file,
        'create table sample.things (id int); -- and\ncreate index on sample.things (id);',
      );
      const baseline = { version: '1.0.0', name: BASELINE, file, replaces: [first, second] };
      released = { ...owner, baseline, migrations: [More1795000000003] };
      client = new Client({ connectionString: database.url });
      await client.connect();
    });
    afterEach(() => client.end());
    /** As the version before left it. */
    const enter = (...names: string[]) =>
      client.query(
        `create schema sample; create table sample.things (old int);
         create table sample.migrations (id serial primary key, timestamp bigint not null, name varchar not null);
         insert into sample.migrations (timestamp, name) values ${names.map((name) => `(${Number(name.slice(-13))}, '${name}')`).join()}`,
      );

    it('makes its tables in an empty database, whose ledger then has the names that it replaces, too', async () => {
      const runs = await Promise.all([run('first', [released]), run('first', [released])]);
      expect(runs.flat()).toEqual([`sample: ${BASELINE}`, ...MORE]);
      expect((await ledger()).map(({ name }) => name)).toEqual(NAMES);
      expect((await ledger()).slice(0, 2)).toEqual([
        { timestamp: '1795000000000', name: first },
        { timestamp: '261121015500', name: second },
      ]);
      expect(await columns()).toEqual(['id', 'more']);
      expect(await run('first', [released])).toEqual([]);
    });

    it('is entered and not run where all of these are', async () => {
      await enter(first, second);
      expect(await run('first', [released])).toEqual(MORE);
      expect((await ledger()).map(({ name }) => name)).toEqual(NAMES);
      expect(await columns()).toEqual(['old', 'more']);
    });

    it.each([[[first]], [['Other1795000000000']]])(
      'is refused to a database that has %j alone, of which nothing changes, nor of those before it',
      async (names) => {
        await enter(...names);
        const before = { schema: 'earlier', role: owner.role, migrations: [] };
        const message = 'of a version before 1.0.0. Upgrade it to 1.0.0 first, then to this version.';
        await expect(run('first', [before, released])).rejects.toThrow(message);
        expect((await ledger()).map(({ name }) => name)).toEqual(names);
        expect(await columns()).toEqual(['old']);
        const { rows } = await client.query("select to_regnamespace('earlier') as found");
        expect(rows).toEqual([{ found: null }]);
      },
    );

    it('is undone with a migration that fails after it', async () => {
      const broken = { ...released, migrations: [Broken1795000000001] };
      await expect(run('first', [broken])).rejects.toThrow('syntax error');
      expect(await ledger()).toEqual([]);
      expect(await run('first', [released])).toEqual([`sample: ${BASELINE}`, ...MORE]);
    });
  });

  describe('and the functions, triggers and views of an owner', () => {
    const FILES: Record<string, string> = {
      'a_list.sql': `
        CREATE OR REPLACE VIEW sample.a_list AS SELECT id FROM sample.few;
        GRANT SELECT ON sample.a_list TO meetmark_sample;`,
      'few.sql': 'CREATE OR REPLACE VIEW sample.few AS SELECT id FROM sample.things WHERE id < {{most}};',
      'refuse.sql': `
        CREATE OR REPLACE FUNCTION sample.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'refused';
        END $$;

        -- none is taken away
        CREATE OR REPLACE TRIGGER things_stay BEFORE DELETE ON sample.things
        FOR EACH ROW EXECUTE FUNCTION sample.refuse();`.replaceAll('\n        ', '\n'),
    };
    let folder: string;
    let client: Client;
    const write = (file: string, text: string) => fs.writeFileSync(path.join(folder, file), text.trim());
    const migrated = (values: Record<string, string> = { most: '10' }, more: Partial<MigrationOwner> = {}) =>
      run('first', [{ ...owner, ...more, code: { folder, values } }]);
    const query = async (statement: string) => (await client.query<Record<string, unknown>>(statement)).rows;
    const LOADED = 'sample: functions, triggers, views (4)';

    beforeEach(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'database-code-'));
      for (const [file, text] of Object.entries(FILES)) write(file, text);
      client = new Client({ connectionString: database.url });
      await client.connect();
    });
    afterEach(async () => {
      await client.end();
      fs.rmSync(folder, { recursive: true });
    });

    it('loads them after the migrations; what is up to date is not waited for', async () => {
      expect(await migrated()).toEqual(['sample: Things1795000000000', LOADED]);
      await query('INSERT INTO sample.things VALUES (1), (20)');
      expect((await asRole('first', 'SELECT * FROM a_list')).rows).toEqual([{ id: 1 }]);
      await expect(query('DELETE FROM sample.things')).rejects.toThrow('refused');
      await query('BEGIN; LOCK TABLE sample.things, sample.few, sample.a_list IN ACCESS EXCLUSIVE MODE');
      expect(await migrated()).toEqual([]);
    });

    it('replaces what is written otherwise, and nothing else; rights are those of the file', async () => {
      await migrated();
      const versions = () =>
        query(`SELECT xmin FROM pg_proc WHERE proname = 'refuse' UNION ALL
        SELECT xmin FROM pg_trigger WHERE tgname = 'things_stay'`);
      const before = await versions();
      write('a_list.sql', 'CREATE OR REPLACE VIEW sample.a_list AS SELECT id FROM sample.few WHERE id > 1;');
      expect(await migrated()).toEqual(['sample: functions, triggers, views (1)']);
      await expect(asRole('first', 'SELECT * FROM a_list')).rejects.toMatchObject({ code: '42501' });
      expect(await migrated({ most: '5' })).toEqual(['sample: functions, triggers, views (1)']);
      await query('INSERT INTO sample.things VALUES (1), (3), (8)');
      expect(await query('SELECT * FROM sample.a_list')).toEqual([{ id: 3 }]);
      expect(await versions()).toEqual(before);
    });

    it('brings back what a migration dropped that it stood in the way of', async () => {
      await migrated();
      class Wider1795000000002 implements Migration {
        name = 'Wider1795000000002';
        async up(runner: QueryRunner): Promise<void> {
          await runner.query('drop view sample.few cascade');
          await runner.query('drop trigger things_stay on sample.things');
          await runner.query('alter table sample.things alter column id type bigint');
        }
      }
      const migrations = [Things1795000000000, Wider1795000000002];
      expect(await migrated({ most: '10' }, { migrations })).toEqual([
        'sample: Wider1795000000002',
        'sample: functions, triggers, views (3)',
      ]);
      expect((await asRole('first', 'SELECT * FROM a_list')).rows).toEqual([]);
    });

    it('undoes the migrations with a file that is wrong', async () => {
      write('few.sql', 'CREATE OR REPLACE VIEW sample.few AS SELECT nothing FROM sample.things;');
      await expect(migrated({})).rejects.toThrow('few.sql: column "nothing" does not exist');
      expect(await query("SELECT to_regclass('sample.things') AS found")).toEqual([{ found: null }]);
      write('few.sql', FILES['few.sql']!);
      expect(await migrated()).toEqual(['sample: Things1795000000000', LOADED]);
    });

    it('refuses a placeholder that stands for nothing, one that no file has, and a file named after something else', async () => {
      await expect(migrated({})).rejects.toThrow('few.sql: {{most}} stands for nothing');
      await expect(migrated({ most: '10', least: '1' })).rejects.toThrow('has no {{least}}');
      write('many.sql', FILES['few.sql']!);
      await expect(migrated()).rejects.toThrow('many.sql makes sample.few');
    });
  });
});
