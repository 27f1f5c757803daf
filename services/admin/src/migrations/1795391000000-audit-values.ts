import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries say what a field was before and is after, and are found by whom they are about. */
export class AuditValues1795391000000 implements MigrationInterface {
  name = 'AuditValues1795391000000';

  async up(runner: QueryRunner): Promise<void> {
    // a constant default: no row is rewritten, and workers of the version before go on inserting
    await runner.query(`
      ALTER TABLE admin.audit_log ADD COLUMN changed_values jsonb NOT NULL DEFAULT '{}',
        ADD CONSTRAINT audit_log_changed_values_check
          CHECK (jsonb_typeof(changed_values) = 'object' AND pg_column_size(changed_values) <= 4096)`);
    await runner.query(
      'CREATE INDEX audit_log_subject_idx ON admin.audit_log (subject_id, at DESC, id DESC) WHERE subject_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX admin.audit_log_subject_idx');
    await runner.query('ALTER TABLE admin.audit_log DROP COLUMN changed_values');
  }
}
