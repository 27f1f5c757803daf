import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The record of every session, which survives the loss of Redis; Redis only repeats it. A session belongs to a user and goes with them. */
export class Sessions20261121015500 implements MigrationInterface {
  name = 'Sessions20261121015500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE gateway.sessions (
        sid text CONSTRAINT sessions_pkey PRIMARY KEY,
        sess json NOT NULL,
        expire timestamptz NOT NULL,
        user_id uuid NOT NULL
          CONSTRAINT sessions_user_id_fkey REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query('CREATE INDEX sessions_expire_idx ON gateway.sessions (expire)');
    await queryRunner.query('CREATE INDEX sessions_user_id_idx ON gateway.sessions (user_id)');
    await queryRunner.query('GRANT SELECT, INSERT, UPDATE, DELETE ON gateway.sessions TO meetmark_gateway');
    // the worker's housekeeping removes what has expired
    await queryRunner.query('GRANT USAGE ON SCHEMA gateway TO meetmark_worker');
    await queryRunner.query('GRANT SELECT, DELETE ON gateway.sessions TO meetmark_worker');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE gateway.sessions');
  }
}
