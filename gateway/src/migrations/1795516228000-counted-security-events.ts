import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** Events without an account share one row for each network, kind and hour, which counts them. Other rows have no hour, and count 1. */
export class CountedSecurityEvents1795516228000 implements Migration {
  name = 'CountedSecurityEvents1795516228000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE gateway.security_events
        ADD COLUMN hour timestamptz(3),
        ADD COLUMN count integer NOT NULL DEFAULT 1,
        ADD CONSTRAINT security_events_hour_check CHECK (hour IS NULL OR account IS NULL),
        ADD CONSTRAINT security_events_count_check CHECK (count >= 1 AND (count = 1 OR hour IS NOT NULL))`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX security_events_hour_idx ON gateway.security_events (network, kind, hour) WHERE hour IS NOT NULL',
    );
    await queryRunner.query('GRANT UPDATE (count) ON gateway.security_events TO meetmark_gateway');
  }
}
