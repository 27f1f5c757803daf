import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ResetCodes1795219202000 implements MigrationInterface {
  name = 'ResetCodes1795219202000';

  async up(runner: QueryRunner): Promise<void> {
    // user_id is null for an address without an account: asking for a code does the same work either way.
    // sealed_code is an encrypted copy for the mail alone; the worker clears it when the mail is out.
    await runner.query(`
      CREATE TABLE auth.password_reset_tokens (
        id uuid CONSTRAINT password_reset_tokens_pkey PRIMARY KEY,
        user_id uuid,
        email text NOT NULL,
        token_hash bytea NOT NULL,
        sealed_code text,
        attempts integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT password_reset_tokens_email_check CHECK (email = lower(email) AND char_length(email) <= 255),
        CONSTRAINT password_reset_tokens_token_hash_check CHECK (octet_length(token_hash) = 32),
        CONSTRAINT password_reset_tokens_user_id_fkey
          FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    // At most one open code for an address: a new one replaces it.
    await runner.query(
      'CREATE UNIQUE INDEX password_reset_tokens_open_key ON auth.password_reset_tokens (email) WHERE used_at IS NULL',
    );
    await runner.query(
      'CREATE INDEX password_reset_tokens_user_id_idx ON auth.password_reset_tokens (user_id)',
    );
    await runner.query(
      'CREATE INDEX password_reset_tokens_expires_at_idx ON auth.password_reset_tokens (expires_at)',
    );
    await runner.query('GRANT SELECT, INSERT, UPDATE, DELETE ON auth.password_reset_tokens TO meetmark_auth');
    await runner.query(`
      GRANT SELECT (id, user_id, sealed_code, expires_at, used_at, created_at), UPDATE (sealed_code), DELETE
      ON auth.password_reset_tokens TO meetmark_worker`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.password_reset_tokens');
  }
}
