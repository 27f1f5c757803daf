import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counted rows have a room of their own, so the worker, which removes the oldest, has to know them. */
export class CountedSecurityEventsOfWorker1795524072000 implements MigrationInterface {
  name = 'CountedSecurityEventsOfWorker1795524072000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('GRANT SELECT (hour) ON gateway.security_events TO meetmark_worker');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('REVOKE SELECT (hour) ON gateway.security_events FROM meetmark_worker');
  }
}
