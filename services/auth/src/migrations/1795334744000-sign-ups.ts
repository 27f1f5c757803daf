import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-ups that carried an Idempotency-Key, for a day: who repeats one gets the account that it made. */
export class SignUps1795334744000 implements MigrationInterface {
  name = 'SignUps1795334744000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.sign_ups (
        key_hash bytea CONSTRAINT sign_ups_pkey PRIMARY KEY,
        request_hash bytea NOT NULL,
        user_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT sign_ups_key_hash_check CHECK (octet_length(key_hash) = 32),
        CONSTRAINT sign_ups_request_hash_check CHECK (octet_length(request_hash) = 32),
        CONSTRAINT sign_ups_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX sign_ups_user_id_idx ON auth.sign_ups (user_id)');
    await runner.query('CREATE INDEX sign_ups_created_at_idx ON auth.sign_ups (created_at)');
    await runner.query('GRANT SELECT, INSERT, DELETE ON auth.sign_ups TO meetmark_auth');
    await runner.query('GRANT SELECT (key_hash, created_at), DELETE ON auth.sign_ups TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.sign_ups');
  }
}
