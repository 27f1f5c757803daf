import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Outbox1795219203000 implements MigrationInterface {
  name = 'Outbox1795219203000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.outbox (
        id uuid CONSTRAINT outbox_pkey PRIMARY KEY,
        job text NOT NULL,
        payload jsonb NOT NULL,
        request_id text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        available_at timestamptz(3) NOT NULL DEFAULT now(),
        relayed_at timestamptz(3),
        done_at timestamptz(3),
        attempts integer NOT NULL DEFAULT 0,
        last_error text,
        CONSTRAINT outbox_job_check CHECK (char_length(job) BETWEEN 1 AND 100)
      )`);
    await runner.query(
      'CREATE INDEX outbox_open_idx ON auth.outbox (available_at, id) WHERE done_at IS NULL',
    );
    await runner.query('CREATE INDEX outbox_done_idx ON auth.outbox (done_at) WHERE done_at IS NOT NULL');
    await runner.query(
      "CREATE INDEX outbox_mail_idx ON auth.outbox (created_at DESC, id) WHERE job LIKE 'mail.%'",
    );
    // The administrators' System page: what became of each mail, not whom it is for.
    await runner.query(`
      CREATE VIEW auth.mail_status AS
      SELECT id, job, created_at, done_at, attempts, last_error FROM auth.outbox WHERE job LIKE 'mail.%'`);
    await runner.query('GRANT SELECT, INSERT ON auth.outbox TO meetmark_auth');
    await runner.query(`
      GRANT SELECT, UPDATE (available_at, relayed_at, done_at, attempts, last_error), DELETE
      ON auth.outbox TO meetmark_worker`);
    await runner.query('GRANT USAGE ON SCHEMA auth TO meetmark_admin');
    await runner.query('GRANT SELECT ON auth.mail_status TO meetmark_admin');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW auth.mail_status');
    await runner.query('DROP TABLE auth.outbox');
    await runner.query('REVOKE USAGE ON SCHEMA auth FROM meetmark_admin');
  }
}
