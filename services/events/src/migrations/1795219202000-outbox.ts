import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Outbox1795219202000 implements MigrationInterface {
  name = 'Outbox1795219202000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.outbox (
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
      'CREATE INDEX outbox_open_idx ON events.outbox (available_at, id) WHERE done_at IS NULL',
    );
    await runner.query('CREATE INDEX outbox_done_idx ON events.outbox (done_at) WHERE done_at IS NOT NULL');
    await runner.query(
      "CREATE INDEX outbox_mail_idx ON events.outbox (created_at DESC, id) WHERE job LIKE 'mail.%'",
    );
    // An edit takes over what earlier edits of the same event have not announced yet.
    await runner.query(`
      CREATE INDEX outbox_event_changed_idx ON events.outbox ((payload ->> 'eventId'))
      WHERE job = 'mail.eventChangedFanOut' AND done_at IS NULL`);
    // The administrators' System page: what became of each mail, not whom it is for.
    await runner.query(`
      CREATE VIEW events.mail_status AS
      SELECT id, job, created_at, done_at, attempts, last_error FROM events.outbox WHERE job LIKE 'mail.%'`);
    await runner.query(
      'GRANT SELECT, INSERT, UPDATE (relayed_at, done_at) ON events.outbox TO meetmark_events',
    );
    // The worker also adds: one change of an event becomes a mail for each person registered.
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE (available_at, relayed_at, done_at, attempts, last_error), DELETE
      ON events.outbox TO meetmark_worker`);
    await runner.query('GRANT SELECT ON events.mail_status TO meetmark_admin');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW events.mail_status');
    await runner.query('DROP TABLE events.outbox');
  }
}
