import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The clean-up keeps a share of each kind. */
export class SecurityEventKinds1795511967000 implements MigrationInterface {
  name = 'SecurityEventKinds1795511967000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX security_events_kind_idx ON gateway.security_events (kind, at DESC, id DESC)',
    );
    await queryRunner.query('GRANT SELECT (kind) ON gateway.security_events TO meetmark_worker');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('REVOKE SELECT (kind) ON gateway.security_events FROM meetmark_worker');
    await queryRunner.query('DROP INDEX gateway.security_events_kind_idx');
  }
}
