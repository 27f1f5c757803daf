import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RegistrationActivity1795219200000 implements MigrationInterface {
  name = 'RegistrationActivity1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    // One row a day of the community's time zone; the worker rolls it up.
    await runner.query(`
      CREATE TABLE admin.registration_activity (
        day date CONSTRAINT registration_activity_pkey PRIMARY KEY,
        registrations integer NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT registration_activity_registrations_check CHECK (registrations >= 0)
      )`);
    await runner.query('GRANT USAGE ON SCHEMA admin TO meetmark_admin, meetmark_worker');
    await runner.query('GRANT SELECT ON admin.registration_activity TO meetmark_admin');
    await runner.query(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON admin.registration_activity TO meetmark_worker',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE admin.registration_activity');
    await runner.query('REVOKE USAGE ON SCHEMA admin FROM meetmark_admin, meetmark_worker');
  }
}
