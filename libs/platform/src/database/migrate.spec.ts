import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { codes } from '@meetmark/testing';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { databaseForTests } from '../testing/database-for-tests.js';
import type { Query } from './database-code.js';
import { EarlierDatabaseError, migrate, type Migration, type MigrationOwner } from './migrate.js';

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
  const database = databaseForTests();
  const run = (password = 'first', owners = [owner]) =>
    migrate({ url: database.url, passwords: { meetmark_sample: password }, owners });
  const asRole = async (password: string, statement: string, username = 'meetmark_sample') => {
    const url = Object.assign(new URL(database.url), { username, password });
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      return await client.query(statement);
    } finally {
      await client.end();
    }
  };

  afterEach(() => database.owner.query('ROLLBACK; DROP SCHEMA IF EXISTS sample CASCADE'));
  const query = async (statement: string) =>
    (await database.owner.query<Record<string, unknown>>(statement)).rows;

  it('rolls back all migrations when one fails, and applies each only once', async () => {
    const broken = { ...owner, migrations: [Things1795000000000, Broken1795000000001] };
    await expect(run('first', [broken])).rejects.toThrow('syntax error');
    const names = await Promise.all([run(), run()]);
    expect(names.flat()).toEqual(['sample: Things1795000000000']);
    expect(await run()).toEqual([]);
  });

  it('gives a role its own search path and only the granted rights', async () => {
    const password = 'it\'s "quoted"';
    await run(password);
    expect((await asRole(password, 'insert into things values (1) returning id')).rows).toEqual([{ id: 1 }]);
    for (const denied of ['delete from things', 'create table mine (id int)', 'select * from migrations'])
      await expect(asRole(password, denied)).rejects.toMatchObject({ code: '42501' });
  });

  it('lets a new role sign in only after all migrations', async () => {
    const role = `meetmark_sample_${process.pid}`;
    const asNewRole = () => asRole('first', 'select 1', role);
    const whileMigrating: string[] = [];
    class Looks1795000000002 implements Migration {
      name = 'Looks1795000000002';
      async up(): Promise<void> {
        whileMigrating.push(...(await codes([asNewRole()])));
      }
    }
    const owners = [{ schema: 'sample', role, migrations: [Looks1795000000002] }];
    try {
      await migrate({ url: database.url, passwords: { [role]: 'first' }, owners });
      expect(whileMigrating).toEqual(['28P01']);
      await asNewRole();
    } finally {
      await query(`drop owned by ${role}; drop role ${role}`);
    }
  });

  describe('with a baseline', () => {
    class More1795000000003 implements Migration {
      name = 'More1795000000003';
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('alter table sample.things add column more text');
      }
    }
    const BASELINE = expect.stringMatching(/^sample: Baseline_[0-9a-f]{12}_0+$/) as string;
    const MORE = `sample: ${More1795000000003.name}`;
    let file: string;
    let withBaseline: MigrationOwner;
    const readLedger = async () =>
      (await query("select 'sample: ' || name as name from sample.migrations order by id")).map(
        ({ name }) => name,
      );

    beforeEach(async () => {
      file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'baseline-')), 'baseline.sql');
      fs.writeFileSync(
        file,
        'create table sample.things (id int); -- and\ncreate index on sample.things (id);',
      );
      const fill = async (query: Query) => void (await query('insert into sample.things values (7)'));
      withBaseline = { ...owner, baseline: { file, fill }, migrations: [] };
    });

    it('applies the baseline only once, before later migrations', async () => {
      const failing = { ...withBaseline, migrations: [Broken1795000000001] };
      await expect(run('first', [failing])).rejects.toThrow('syntax error');
      const runs = await Promise.all([run('first', [withBaseline]), run('first', [withBaseline])]);
      expect(runs.flat()).toEqual([BASELINE]);
      expect(await run('first', [withBaseline])).toEqual([]);
      const later = { ...withBaseline, migrations: [More1795000000003] };
      expect(await run('first', [later])).toEqual([MORE]);
      expect(await readLedger()).toEqual([BASELINE, MORE]);
      expect(await query('select * from sample.things')).toEqual([{ id: 7, more: null }]);
    });

    it('refuses a database with another baseline and leaves it unchanged', async () => {
      await run('first', [withBaseline]);
      fs.appendFileSync(file, '\n-- edited');
      const first = { schema: 'earlier', role: owner.role, migrations: [] };
      await expect(run('first', [first, withBaseline])).rejects.toThrow(EarlierDatabaseError);
      expect(await readLedger()).toEqual([BASELINE]);
      expect(await query("select to_regnamespace('earlier') as found")).toEqual([{ found: null }]);
    });
  });

  describe('with functions, triggers and views', () => {
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
    const write = (file: string, text: string) => fs.writeFileSync(path.join(folder, file), text.trim());
    const migrated = (values: Record<string, string> = { most: '10' }, more: Partial<MigrationOwner> = {}) =>
      run('first', [{ ...owner, ...more, code: { folder, values } }]);
    const LOADED = 'sample: functions, triggers, views (4)';

    beforeEach(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'database-code-'));
      for (const [file, text] of Object.entries(FILES)) write(file, text);
    });
    afterEach(() => fs.rmSync(folder, { recursive: true }));

    it('takes no locks when the functions, triggers and views are unchanged', async () => {
      expect(await migrated()).toEqual(['sample: Things1795000000000', LOADED]);
      await query('INSERT INTO sample.things VALUES (1), (20)');
      expect((await asRole('first', 'SELECT * FROM a_list')).rows).toEqual([{ id: 1 }]);
      await expect(query('DELETE FROM sample.things')).rejects.toThrow('refused');
      await query('BEGIN; LOCK TABLE sample.things, sample.few, sample.a_list IN ACCESS EXCLUSIVE MODE');
      expect(await migrated()).toEqual([]);
    });

    it('replaces only changed definitions, including their grants', async () => {
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

    it('restores views and triggers that a migration dropped', async () => {
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

    it('rolls back the migrations when an SQL file is invalid', async () => {
      for (const [file, text, values, problem] of [
        [
          'few.sql',
          'CREATE OR REPLACE VIEW sample.few AS SELECT nothing FROM sample.things;',
          {},
          'few.sql: column "nothing" does not exist',
        ],
        ['few.sql', FILES['few.sql']!, {}, 'few.sql: {{most}} stands for nothing'],
        ['few.sql', FILES['few.sql']!, { most: '10', least: '1' }, 'has no {{least}}'],
        ['many.sql', FILES['few.sql']!, { most: '10' }, 'many.sql makes sample.few'],
      ] as const) {
        write(file, text);
        await expect(migrated(values)).rejects.toThrow(problem);
        expect(await query("SELECT to_regclass('sample.things') AS found")).toEqual([{ found: null }]);
      }
      fs.rmSync(path.join(folder, 'many.sql'));
      expect(await migrated()).toEqual(['sample: Things1795000000000', LOADED]);
    });
  });
});
