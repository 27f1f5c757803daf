import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Young entries are removed by no one: the least that the retention setting takes. */
const KEPT_AT_LEAST = "interval '30 days'";

/**
 * Entries point to people by id alone. Their names stand with the accounts, and go with them. Entries that are older than the installation
 * keeps them may be removed; every other change is refused as before.
 */
export class AuditWithoutNames1795333402000 implements MigrationInterface {
  name = 'AuditWithoutNames1795333402000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER audit_log_append_only ON admin.audit_log');
    await runner.query('ALTER TABLE admin.audit_log ALTER COLUMN actor_name DROP NOT NULL');
    await runner.query(
      `UPDATE admin.audit_log SET actor_name = NULL, subject_name = CASE WHEN action LIKE 'event.%' THEN subject_name END`,
    );
    // Workers of the version before still send them.
    await runner.query(`
      CREATE FUNCTION admin.leave_names_out() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.actor_name := NULL;
        IF NEW.action NOT LIKE 'event.%' THEN
          NEW.subject_name := NULL;
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_log_leave_names_out BEFORE INSERT ON admin.audit_log
      FOR EACH ROW EXECUTE FUNCTION admin.leave_names_out()`);
    await runner.query(`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR TRUNCATE ON admin.audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION admin.refuse_audit_change()`);
    await runner.query(`
      CREATE TRIGGER audit_log_keep_the_young BEFORE DELETE ON admin.audit_log
      FOR EACH ROW WHEN (OLD.at > now() - ${KEPT_AT_LEAST}) EXECUTE FUNCTION admin.refuse_audit_change()`);
    await runner.query('GRANT SELECT (at), DELETE ON admin.audit_log TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT (at), DELETE ON admin.audit_log FROM meetmark_worker');
    await runner.query('DROP TRIGGER audit_log_keep_the_young ON admin.audit_log');
    await runner.query('DROP TRIGGER audit_log_append_only ON admin.audit_log');
    await runner.query('DROP TRIGGER audit_log_leave_names_out ON admin.audit_log');
    await runner.query('DROP FUNCTION admin.leave_names_out');
    await runner.query("UPDATE admin.audit_log SET actor_name = 'Unknown'");
    await runner.query('ALTER TABLE admin.audit_log ALTER COLUMN actor_name SET NOT NULL');
    await runner.query(`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON admin.audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION admin.refuse_audit_change()`);
  }
}
