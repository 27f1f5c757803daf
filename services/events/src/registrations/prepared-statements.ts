import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '@meetmark/contracts';
import { mapDatabaseError } from '@meetmark/platform';
import { DatabaseError, type Pool, type QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';

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
