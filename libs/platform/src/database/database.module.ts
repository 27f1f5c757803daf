import { Socket } from 'node:net';
import {
  type DynamicModule,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DEADLINES, DomainError } from '@meetmark/contracts';
import { Client, type Pool, type PoolClient } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { StoreConfig } from '../config/service.config.js';
import { readRightsFrom } from '../identity/rights.js';
import { observePool } from '../operations/metrics.js';
import { Readiness } from '../operations/readiness.js';
import { OutboxWriter } from '../outbox/outbox.repository.js';
import { reconnectDelay, withTimeout } from '../redis/connection.js';
import { mapDatabaseError } from './database-errors.js';
import { databaseOptions, type DatabaseOwner, KEEP_ALIVE } from './database-options.js';

/** Connections that may fail, each within DEADLINES.poolWait, before a process starts with those that it has. */
const OPEN_FAILURES = 5;

/**
 * SQLSTATE of a refused sign-in: the role is missing, may not sign in yet, or has another password; or the database is missing. On a
 * first install the migration creates all of them.
 */
const NOT_ADMITTED = new Set(['28P01', '28000', '3D000']);

/** Milliseconds within which PostgreSQL answers a listener, which counts as lost otherwise. */
const ANSWERS_WITHIN = 1_000;

/**
 * The connection on which a process hears notifications of PostgreSQL: one for all channels, none without a channel. A lost one is opened again.
 * Notifications of the meantime do not come later, and a connection can be dead without being closed. So who listens looks for
 * themselves, too: when the connection is back, and at intervals. Looks over the connection itself show that it lives.
 */
export class DatabaseListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly channels = new Map<string, () => void>();
  /** That of the present connection, or of the present attempt. */
  private socket: Socket | undefined;
  /** The present connection, while notifications arrive. */
  private client: Client | undefined;
  /** The last question, which the next one waits for: pg takes one at a time. */
  private asked: Promise<unknown> = Promise.resolve();
  private attempt = 0;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: Pick<StoreConfig, 'databaseUrl'>,
    private readonly name: string,
  ) {}

  /** Whether notifications arrive, as far as this process knows. */
  get isListening(): boolean {
    return this.client !== undefined;
  }

  /**
   * Calls `heard` for each notification on the channel, and whenever the connection is there (again). To be called before the process has
   * started. What is returned ends it.
   */
  listen(channel: string, heard: () => void): () => void {
    this.channels.set(channel, heard);
    return () => this.channels.delete(channel);
  }

  onApplicationBootstrap(): void {
    if (this.channels.size > 0) this.connect();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.retry);
    this.client = undefined;
    const { socket } = this;
    this.socket = undefined; // its end is no loss
    socket?.destroy();
  }

  /**
   * Asks on this connection, which gives it up when it is silent.
   * @throws Error when there is none, or no answer
   */
  async ask<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    const { client, socket } = this;
    if (client === undefined || socket === undefined) throw new Error('there is no connection');
    const answer = this.asked.then(() => client.query<Row>(text, values));
    this.asked = answer.catch(() => undefined);
    return (await withTimeout(answer, ANSWERS_WITHIN, () => this.lost(socket, 'it is silent'))).rows;
  }

  private connect(): void {
    const socket = new Socket();
    this.socket = socket;
    const client = new Client({
      connectionString: this.config.databaseUrl,
      application_name: this.name,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
      // of a server that says nothing
      connectionTimeoutMillis: DEADLINES.call,
      query_timeout: DEADLINES.call,
      stream: () => socket,
    });
    const lost = (error?: Error) => this.lost(socket, error?.message ?? 'it was closed');
    client.on('notification', ({ channel }) => this.channels.get(channel)?.());
    client.on('error', lost);
    client.on('end', () => lost());
    this.hear(client, socket).catch(lost);
  }

  private async hear(client: Client, socket: Socket): Promise<void> {
    await client.connect();
    await client.query([...this.channels.keys()].map((channel) => `LISTEN ${channel}`).join('; '));
    if (this.socket !== socket) return;
    this.attempt = 0;
    this.client = client;
    this.channels.forEach((heard) => heard());
  }

  private lost(socket: Socket, reason: string): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    this.client = undefined;
    socket.destroy();
    // once, not with every attempt
    if (this.attempt === 0) this.logger.warn(`notifications of PostgreSQL are not heard: ${reason}`);
    this.attempt += 1;
    this.retry = setTimeout(() => this.connect(), reconnectDelay(this.attempt));
  }
}

/**
 * The database of a process: its DataSource (also as TypeORM's EntityManager), its OutboxWriter and its DatabaseListener, injectable everywhere.
 */
@Module({})
export class DatabaseModule {
  static forOwner(owner: DatabaseOwner): DynamicModule {
    const outbox = { provide: OutboxWriter, useFactory: () => new OutboxWriter(owner.schema) };
    const listener = {
      provide: DatabaseListener,
      inject: [StoreConfig],
      useFactory: (config: StoreConfig) => new DatabaseListener(config, `meetmark-${owner.schema}-listen`),
    };
    let given: { config: StoreConfig; readiness: Readiness };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [StoreConfig, Readiness],
          useFactory: (config: StoreConfig, readiness: Readiness) => {
            given = { config, readiness };
            return { ...databaseOptions(config, owner), retryAttempts: 0 };
          },
          dataSourceFactory: async (options) => {
            const dataSource = await connect(
              options as DataSourceOptions,
              given.config.databasePoolReady,
              given.readiness,
            );
            readRightsFrom(owner.schema, dataSource);
            return dataSource;
          },
        }),
      ],
      providers: [outbox, listener],
      exports: [outbox, listener],
    };
  }
}

/** Waits for PostgreSQL, and for the migration that admits this process, which meanwhile runs and is not ready. */
async function connect(options: DataSourceOptions, ready: number, readiness: Readiness): Promise<DataSource> {
  const logger = new Logger('Database');
  const dataSource = new DataSource(options);
  let waitingFor = 'not connected yet';
  readiness.add('postgres', async () => {
    if (!dataSource.isInitialized) throw new Error(waitingFor);
    await dataSource.query('select 1');
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dataSource.initialize();
      const { master: pool } = dataSource.driver as unknown as { master: Pool };
      observePool(pool);
      await openConnections(pool, Math.min(ready, pool.options.max), logger);
      return dataSource;
    } catch (error) {
      waitingFor = problemOf(error);
      logger.warn(waitingFor);
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay(attempt)));
    }
  }
}

/**
 * Why a process cannot use its database yet.
 * @throws the error itself when waiting does not help
 */
function problemOf(error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  if (NOT_ADMITTED.has(code))
    return `PostgreSQL refuses this process: ${message}. Either the migration has not run to its end, or DATABASE_URL is wrong`;
  const refusal = mapDatabaseError(error);
  if (refusal instanceof DomainError && refusal.code === 'SERVICE_UNAVAILABLE')
    return `PostgreSQL is not reachable: ${message}`;
  throw error;
}

/** Opens connections until `count` are open, one after the other; with fewer the process starts all the same. */
async function openConnections(pool: Pool, count: number, logger: Logger): Promise<void> {
  const held: PoolClient[] = [];
  const failures: Error[] = [];
  while (held.length < count && failures.length < OPEN_FAILURES) {
    await pool.connect().then(
      (connection) => held.push(connection),
      (error: Error) => failures.push(error),
    );
  }
  if (held.length < count) {
    const reached = `${held.length} of ${count} database connections`;
    logger.warn({ err: failures.at(-1), msg: `starts with ${reached}, the others come as they are needed` });
  }
  for (const connection of held) connection.release();
}
