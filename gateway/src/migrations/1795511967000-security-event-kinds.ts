import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** The clean-up keeps a share of each kind. */
export class SecurityEventKinds1795511967000 implements Migration {
  name = 'SecurityEventKinds1795511967000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX security_events_kind_idx ON gateway.security_events (kind, at DESC, id DESC)',
    );
    await queryRunner.query('GRANT SELECT (kind) ON gateway.security_events TO meetmark_worker');
  }
}
