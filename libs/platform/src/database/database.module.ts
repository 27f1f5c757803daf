import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DomainError } from '@meetmark/contracts';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { StoreConfig } from '../config/service.config.js';
import { readRightsFrom } from '../identity/rights.js';
import { observePool } from '../operations/metrics.js';
import { Readiness } from '../operations/readiness.js';
import { OutboxWriter } from '../outbox/outbox.repository.js';
import { reconnectDelay } from '../redis/connection.js';
import { mapDatabaseError } from './database-errors.js';
import { databaseOptions, type DatabaseOwner } from './database-options.js';

/** Connections that may fail, each within DEADLINES.poolWait, before a process starts with those that it has. */
const OPEN_FAILURES = 5;

/**
 * SQLSTATE of a refused sign-in: the role is missing, may not sign in yet, or has another password; or the database is missing. On a
 * first install the migration creates all of them.
 */
const NOT_ADMITTED = new Set(['28P01', '28000', '3D000']);

/**
 * The database of a process: its DataSource (also as TypeORM's EntityManager) and its OutboxWriter, injectable everywhere.
 */
@Module({})
export class DatabaseModule {
  static forOwner(owner: DatabaseOwner): DynamicModule {
    const outbox = { provide: OutboxWriter, useFactory: () => new OutboxWriter(owner.schema) };
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
      providers: [outbox],
      exports: [outbox],
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
