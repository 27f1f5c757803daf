import { outboxTable } from '@meetmark/platform/outbox/outbox-table';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const outbox = outboxTable('auth');

export class Outbox1795219203000 implements MigrationInterface {
  name = 'Outbox1795219203000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of outbox.up) await runner.query(statement);
    await runner.query(
      "CREATE INDEX outbox_mail_idx ON auth.outbox (created_at DESC, id) WHERE job LIKE 'mail.%'",
    );
    // The administrators' System page: what became of each mail, not whom it is for.
    await runner.query(`
      CREATE VIEW auth.mail_status AS
      SELECT id, job, created_at, done_at, attempts, last_error FROM auth.outbox WHERE job LIKE 'mail.%'`);
    await runner.query('GRANT USAGE ON SCHEMA auth TO meetmark_admin');
    await runner.query('GRANT SELECT ON auth.mail_status TO meetmark_admin');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW auth.mail_status');
    for (const statement of outbox.down) await runner.query(statement);
    await runner.query('REVOKE USAGE ON SCHEMA auth FROM meetmark_admin');
  }
}
