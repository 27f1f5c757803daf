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
import type { DataSource, DataSourceOptions } from 'typeorm';
import { StoreConfig } from '../config/service.config.js';
import { readRightsFrom } from '../identity/rights.js';
import { observePool } from '../operations/metrics.js';
import { Readiness } from '../operations/readiness.js';
import { OutboxWriter } from '../outbox/outbox.repository.js';
import { reconnectDelay } from '../redis/connection.js';
import { mapDatabaseError } from './database-errors.js';
import { databaseOptions, type DatabaseOwner, KEEP_ALIVE } from './database-options.js';
import { RetryingDataSource } from './transaction.js';

/**
 * Failed attempts until the process starts with fewer connections. Each attempt takes at most
 * DEADLINES.poolWait.
 */
const OPEN_FAILURES = 5;

/**
 * SQLSTATEs of a rejected sign-in and a missing database. The process then waits, because the first migration
 * may not have created the role or database yet.
 */
const NOT_ADMITTED = new Set(['28P01', '28000', '3D000']);

/** Listeners must also poll: missed notifications aren't repeated, and a dead connection may go unnoticed. */
export class DatabaseListener implements OnApplicationBootstrap, OnApplicationShutdown {
  isListening = false;
  private readonly logger = new Logger('Database');
  private readonly channels = new Map<string, () => void>();
  private socket: Socket | undefined;
  private attempt = 0;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: Pick<StoreConfig, 'databaseUrl'>,
    private readonly name: string,
  ) {}

  /**
   * Calls `heard` for each notification and each time the listener connects. Must be called before the
   * process starts. Returns a function that removes the listener.
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
    this.isListening = false;
    const { socket } = this;
    this.socket = undefined; // Unset first, so that closing doesn't cause a reconnect.
    socket?.destroy();
  }

  private connect(): void {
    const socket = new Socket();
    this.socket = socket;
    const client = new Client({
      connectionString: this.config.databaseUrl,
      application_name: this.name,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
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
    this.isListening = true;
    this.channels.forEach((heard) => heard());
  }

  private lost(socket: Socket, reason: string): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    this.isListening = false;
    socket.destroy();
    if (this.attempt === 0) this.logger.warn(`No notifications from PostgreSQL, reconnecting: ${reason}`);
    this.attempt += 1;
    this.retry = setTimeout(() => this.connect(), reconnectDelay(this.attempt));
  }
}

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

async function connect(options: DataSourceOptions, ready: number, readiness: Readiness): Promise<DataSource> {
  const logger = new Logger('Database');
  const dataSource = new RetryingDataSource(options);
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
      waitingFor = describeProblem(error);
      logger.warn(waitingFor);
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay(attempt)));
    }
  }
}

function describeProblem(error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  if (NOT_ADMITTED.has(code))
    return `PostgreSQL refused the sign-in: ${message}. Wait for the migration to finish, or correct DATABASE_URL`;
  const refusal = mapDatabaseError(error);
  if (refusal instanceof DomainError && refusal.code === 'SERVICE_UNAVAILABLE')
    return `Cannot reach PostgreSQL, still trying: ${message}`;
  throw error;
}

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
    logger.warn({ err: failures.at(-1), msg: `Starting with ${reached}; opening the others when needed` });
  }
  for (const connection of held) connection.release();
}
