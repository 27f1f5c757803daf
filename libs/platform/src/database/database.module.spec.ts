import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { testDatabase, until, type TestDatabase } from '@meetmark/testing';
import { Client, type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { StoreConfig } from '../config/service.config.js';
import { Readiness } from '../operations/readiness.js';
import { mapDatabaseError } from './database-errors.js';
import { DatabaseModule } from './database.module.js';

@Module({})
class Given {
  static of(config: object, readiness: Readiness): DynamicModule {
    const providers = [
      { provide: StoreConfig, useValue: config },
      { provide: Readiness, useValue: readiness },
    ];
    return { module: Given, global: true, providers, exports: [StoreConfig, Readiness] };
  }
}

describe('the database module', () => {
  const SIZE = 4;
  let database: TestDatabase;
  let owner: Client;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new Client({ connectionString: database.url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  const connections = async () => {
    const { rows } = await owner.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'meetmark-auth' AND datname = current_database()`,
    );
    return Number(rows[0]?.count);
  };
  const started = (
    config: object = database.configFor('meetmark_auth', SIZE),
    readiness = new Readiness(),
  ) => {
    const root: DynamicModule = {
      module: class Root {},
      imports: [Given.of(config, readiness), DatabaseModule.forOwner({ schema: 'auth', entities: [] })],
    };
    return NestFactory.createApplicationContext(root, { logger: false });
  };

  it.each([
    [1, 1],
    [3, 3],
    [SIZE + 1, SIZE],
  ])('opens connections at start: %d configured, %d open', async (ready, open) => {
    const app = await started({
      ...database.configFor('meetmark_auth', SIZE),
      databasePoolReady: ready,
    });
    expect(await connections()).toBe(open);
    await app.close();
  });

  it('waits for a missing database role and reports that it waits', async () => {
    const role = `meetmark_late_${process.pid}`;
    const databaseUrl = Object.assign(new URL(database.url), { username: role, password: 'late' }).href;
    const readiness = new Readiness();
    const starting = started({ ...database.configFor('meetmark_auth', SIZE), databaseUrl }, readiness);
    await until('it says that it waits', 60_000, async () =>
      /Wait for the migration/.test((await readiness.report()).problems['postgres'] ?? ''),
    );
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'late'`);
    try {
      const app = await starting;
      expect((await readiness.report()).problems).toEqual({});
      await app.close();
    } finally {
      await owner.query(`DROP ROLE ${role}`);
    }
  });

  it('recovers from a database connection that ends right after it opens', async () => {
    const proxy = await FirstWordsWithheld.before(database.url);
    const name = owner.escapeIdentifier(owner.database ?? '');
    const databaseUrl = Object.assign(new URL(database.urlFor('meetmark_auth')), { port: proxy.port }).href;
    const app = await started({ ...database.configFor('meetmark_auth', 1), databaseUrl });
    const dataSource = app.get(DataSource);
    await owner.query(`ALTER ROLE meetmark_auth IN DATABASE ${name} SET idle_session_timeout = 1`);
    await owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'meetmark-auth' AND datname = current_database()`,
    );
    const { master: pool } = dataSource.driver as unknown as { master: Pool };
    await until('the loss of the connection', 60_000, async () => pool.totalCount === 0);
    proxy.withholds = true;
    const refusal = await dataSource.query('SELECT 1').catch(mapDatabaseError);
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    proxy.withholds = false;
    await owner.query(`ALTER ROLE meetmark_auth IN DATABASE ${name} RESET idle_session_timeout`);
    await expect(dataSource.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await app.close();
    await proxy.close();
  });

  it('starts with fewer connections if the database limits them', async () => {
    const name = owner.escapeIdentifier(owner.database ?? '');
    await owner.query(`ALTER DATABASE ${name} CONNECTION LIMIT 3`);
    const app = await started({ ...database.configFor('meetmark_auth', SIZE), databasePoolReady: SIZE });
    expect(await connections()).toBe(2);
    await app.close();
  });
});

const READY = Buffer.from([...Buffer.from('Z'), 0, 0, 0, 5, ...Buffer.from('I')]);

/**
 * Proxy that holds PostgreSQL's first message back until the connection ends. The client then reads the
 * message and the end at the same time, as a busy client would.
 */
class FirstWordsWithheld {
  withholds = false;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: net.Server) {}

  static async before(target: string): Promise<FirstWordsWithheld> {
    const { hostname, port } = new URL(target);
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FirstWordsWithheld(server);
    server.on('connection', (near) => proxy.join(near, net.connect(Number(port), hostname)));
    return proxy;
  }

  get port(): string {
    return String((this.server.address() as AddressInfo).port);
  }

  async close(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
    await once(this.server, 'close');
  }

  private join(near: Socket, far: Socket): void {
    const withheld: Buffer[] = [];
    near.pipe(far);
    far.on('data', (data: Buffer) => {
      if (withheld.length > 0 || (this.withholds && data.includes(READY))) withheld.push(data);
      else near.write(data);
    });
    far.on('end', () => near.end(Buffer.concat(withheld)));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => this.sockets.delete(socket));
    }
  }
}
