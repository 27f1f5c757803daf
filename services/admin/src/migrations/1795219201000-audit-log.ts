import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditLog1795219201000 implements MigrationInterface {
  name = 'AuditLog1795219201000';

  async up(runner: QueryRunner): Promise<void> {
    // No foreign keys: an entry outlives the people and events that it names.
    await runner.query(`
      CREATE TABLE admin.audit_log (
        id uuid CONSTRAINT audit_log_pkey PRIMARY KEY,
        action text NOT NULL,
        actor_id uuid NOT NULL,
        actor_name text NOT NULL,
        subject_id uuid,
        subject_name text,
        changed text[] NOT NULL DEFAULT '{}',
        at timestamptz(3) NOT NULL,
        CONSTRAINT audit_log_action_check CHECK (char_length(action) BETWEEN 1 AND 50),
        CONSTRAINT audit_log_actor_name_check CHECK (char_length(actor_name) BETWEEN 1 AND 500),
        CONSTRAINT audit_log_subject_name_check CHECK (char_length(subject_name) <= 500)
      )`);
    await runner.query('CREATE INDEX audit_log_at_idx ON admin.audit_log (at DESC, id DESC)');
    await runner.query('CREATE INDEX audit_log_actor_idx ON admin.audit_log (actor_id, at DESC, id DESC)');
    await runner.query('CREATE INDEX audit_log_action_idx ON admin.audit_log (action, at DESC, id DESC)');
    // Append-only for every role, the owner's included.
    await runner.query(`
      CREATE FUNCTION admin.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'admin.audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON admin.audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION admin.refuse_audit_change()`);
    await runner.query('GRANT SELECT ON admin.audit_log TO meetmark_admin');
    // SELECT (id) is what ON CONFLICT (id) DO NOTHING needs: a repeated job writes its line once.
    await runner.query('GRANT INSERT, SELECT (id) ON admin.audit_log TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE admin.audit_log');
    await runner.query('DROP FUNCTION admin.refuse_audit_change');
  }
}
