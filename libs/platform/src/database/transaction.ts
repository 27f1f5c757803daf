import type { ErrorCode } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DatabaseError, type Pool, type QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { mapDatabaseError } from './database-errors.js';

/**
 * One READ COMMITTED transaction: everything through the given manager, committed when `work` resolves. A violated
 * constraint becomes the refusal that `constraints` names for it: `{ users_email_key: 'EMAIL_EXISTS' }`.
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

/** Sets the user on whose behalf the transaction changes rows, for the triggers that record who changed what. */
export async function editAs(manager: EntityManager, userId: string): Promise<void> {
  await manager.query("SELECT set_config('meetmark.editor', $1, true)", [userId]);
}

/** A statement that each connection plans once, under its name. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/** Runs statements so frequent that planning each time would be measurable; TypeORM cannot name a statement. */
@Injectable()
export class PreparedStatements {
  constructor(private readonly dataSource: DataSource) {}

  /** In a transaction of its own. @throws DomainError */
  async run<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: unknown[],
    constraints: Record<string, ErrorCode> = {},
  ): Promise<Row[]> {
    try {
      return await this.query<Row>(statement, values);
    } catch (error) {
      throw mapDatabaseError(error, constraints);
    }
  }

  /** pool.query() would discard the connection after every error of the database: each refusal of a full event would cost a login. */
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
