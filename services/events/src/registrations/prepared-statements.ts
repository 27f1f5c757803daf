import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '@meetmark/contracts';
import { mapDatabaseError } from '@meetmark/platform';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';

/** A statement that each connection plans once and knows by name afterwards. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/** Runs what is asked so often that planning it every time would show; TypeORM cannot name a statement. */
@Injectable()
export class PreparedStatements {
  constructor(private readonly dataSource: DataSource) {}

  /** In a transaction of its own. @throws DomainError */
  async run<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: unknown[],
    constraints: Record<string, ErrorCode> = {},
  ): Promise<Row[]> {
    const { master: pool } = this.dataSource.driver as unknown as { master: Pool };
    try {
      return (await pool.query<Row>({ ...statement, values })).rows;
    } catch (error) {
      throw mapDatabaseError(error, constraints);
    }
  }
}
