import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '@meetmark/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { DatabaseError, type Pool, type QueryResultRow } from 'pg';
import { DataSource, type EntityManager, type QueryRunner, type ReplicationMode } from 'typeorm';
import { currentCall } from '../call/call.js';
import { mapDatabaseError, getSqlState } from './database-errors.js';

/** Serialization failure and deadlock. */
const ABORTED_BY_OTHERS = ['40001', '40P01'];
const RETRIES = 3;
/**
 * Maximum milliseconds before a retry. The actual pause is random, so that the transactions don't conflict
 * again.
 */
const RETRY_PAUSE = 100;

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      const state = getSqlState(error);
      const { deadline = Infinity } = currentCall() ?? {};
      if (!ABORTED_BY_OTHERS.includes(state) || retries === RETRIES || Date.now() >= deadline) throw error;
      new Logger('Database').warn(`PostgreSQL aborted a transaction (${state}); retrying it`);
      await pause(Math.random() * RETRY_PAUSE);
    }
  }
}

/** Function to run in a transaction. It may run several times, so it must not keep state between runs. */
type Work<T> = (manager: EntityManager) => Promise<T>;
type IsolationLevel = Parameters<QueryRunner['startTransaction']>[0] & string;

export class RetryingDataSource extends DataSource {
  override transaction<T>(work: Work<T>): Promise<T>;
  override transaction<T>(isolation: IsolationLevel, work: Work<T>): Promise<T>;
  override transaction<T>(...given: [Work<T>] | [IsolationLevel, Work<T>]): Promise<T> {
    return retrying(() => super.transaction(...(given as [Work<T>])));
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const runner = super.createQueryRunner(mode);
    const query = runner.query.bind(runner) as (...given: unknown[]) => Promise<unknown>;
    const retried = (...given: unknown[]) =>
      runner.isTransactionActive ? query(...given) : retrying(() => query(...given));
    return Object.assign(runner, { query: retried });
  }
}

/**
 * Runs a READ COMMITTED transaction. Take locks in the order of docs/architecture.md ("Lock order").
 * @param constraints error codes by constraint, such as `{ users_email_key: 'EMAIL_EXISTS' }`
 * @throws DomainError
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
  constraints: Record<string, ErrorCode> = {},
): Promise<T> {
  try {
    return await dataSource.transaction(work);
  } catch (error) {
    throw mapDatabaseError(error, constraints);
  }
}

/** Triggers record this user as the author of changes. */
export async function editAs(manager: EntityManager, userId: string): Promise<void> {
  await manager.query("SELECT set_config('meetmark.editor', $1, true)", [userId]);
}

export async function lockSubject(manager: EntityManager, subject: string): Promise<void> {
  await manager.sql`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 0))`;
}

export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * For frequent statements: PostgreSQL plans a prepared statement only once. TypeORM doesn't support prepared
 * statements.
 */
@Injectable()
export class PreparedStatements {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs the statement in its own transaction.
   * @throws DomainError
   */
  async run<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: unknown[],
    constraints: Record<string, ErrorCode> = {},
  ): Promise<Row[]> {
    try {
      return await retrying(() => this.query<Row>(statement, values));
    } catch (error) {
      throw mapDatabaseError(error, constraints);
    }
  }

  /**
   * pool.query() would discard the connection after every error, even after an expected one such as
   * EVENT_FULL.
   */
  private async query<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: unknown[],
  ): Promise<Row[]> {
    const { master: pool } = this.dataSource.driver as unknown as { master: Pool };
    const client = await pool.connect();
    let broken = false;
    try {
      return (await client.query<Row>({ ...statement, values })).rows;
    } catch (error) {
      broken = !(error instanceof DatabaseError) || error.severity === 'FATAL';
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
