import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A message's subject is the event that it is about. The title of an event and the name of a topic are no names of people, which entries never keep. */
export class AuditSubjects1795432000000 implements MigrationInterface {
  name = 'AuditSubjects1795432000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.leaveOut(runner, "NEW.action !~ '^(event|message|topic)[.]'");
    await runner.query(`
      ALTER TABLE admin.audit_log ADD CONSTRAINT audit_log_subject_name_thing_check
        CHECK (subject_name IS NULL OR action ~ '^(event|message|topic)[.]')`);
  }

  /** @param isPerson SQL: whether the entry NEW may be about a person */
  private async leaveOut(runner: QueryRunner, isPerson: string): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION admin.leave_names_out() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.actor_name := NULL;
        IF ${isPerson} THEN
          NEW.subject_name := NULL;
        END IF;
        RETURN NEW;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE admin.audit_log DROP CONSTRAINT audit_log_subject_name_thing_check');
    await this.leaveOut(runner, "NEW.action NOT LIKE 'event.%'");
  }
}
