import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** Counted rows have a room of their own, so the worker, which removes the oldest, has to know them. */
export class CountedSecurityEventsOfWorker1795524072000 implements Migration {
  name = 'CountedSecurityEventsOfWorker1795524072000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('GRANT SELECT (hour) ON gateway.security_events TO meetmark_worker');
  }
}
