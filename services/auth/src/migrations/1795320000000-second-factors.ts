import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SecondFactors1795320000000 implements MigrationInterface {
  name = 'SecondFactors1795320000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.users ADD COLUMN second_factor boolean NOT NULL DEFAULT false');
    // A TOTP secret is sealed; last_step is the newest time step whose code was used: no code is taken twice.
    await runner.query(`
      CREATE TABLE auth.second_factors (
        id uuid CONSTRAINT second_factors_pkey PRIMARY KEY,
        user_id uuid NOT NULL,
        kind text NOT NULL,
        name text NOT NULL,
        sealed_secret text,
        last_step bigint,
        credential_id text,
        public_key bytea,
        counter bigint,
        transports text[],
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        CONSTRAINT second_factors_user_id_fkey
          FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE,
        CONSTRAINT second_factors_name_check CHECK (char_length(name) BETWEEN 1 AND 60),
        CONSTRAINT second_factors_kind_check CHECK (
          (kind = 'totp' AND sealed_secret IS NOT NULL AND last_step IS NOT NULL AND credential_id IS NULL)
          OR (kind = 'passkey' AND sealed_secret IS NULL AND credential_id IS NOT NULL AND public_key IS NOT NULL
              AND counter IS NOT NULL)
        )
      )`);
    await runner.query('CREATE INDEX second_factors_user_id_idx ON auth.second_factors (user_id)');
    await runner.query(
      'CREATE UNIQUE INDEX second_factors_credential_id_key ON auth.second_factors (credential_id) WHERE credential_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE auth.recovery_codes (
        user_id uuid NOT NULL,
        code_hash bytea NOT NULL,
        used_at timestamptz,
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
        CONSTRAINT recovery_codes_user_id_fkey
          FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE,
        CONSTRAINT recovery_codes_code_hash_check CHECK (octet_length(code_hash) = 32)
      )`);
    // A factor that is being set up: one of each kind for a user.
    await runner.query(`
      CREATE TABLE auth.second_factor_setups (
        user_id uuid NOT NULL,
        kind text NOT NULL,
        secret text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT second_factor_setups_pkey PRIMARY KEY (user_id, kind),
        CONSTRAINT second_factor_setups_user_id_fkey
          FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE,
        CONSTRAINT second_factor_setups_kind_check CHECK (kind IN ('totp', 'passkey'))
      )`);
    await runner.query(
      'CREATE INDEX second_factor_setups_expires_at_idx ON auth.second_factor_setups (expires_at)',
    );
    // The first step was taken under this epoch; the browser holds the token, the table its hash.
    await runner.query(`
      CREATE TABLE auth.pending_sign_ins (
        token_hash bytea CONSTRAINT pending_sign_ins_pkey PRIMARY KEY,
        user_id uuid NOT NULL,
        session_epoch integer NOT NULL,
        challenge text,
        attempts integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        CONSTRAINT pending_sign_ins_user_id_fkey
          FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE,
        CONSTRAINT pending_sign_ins_token_hash_check CHECK (octet_length(token_hash) = 32)
      )`);
    await runner.query('CREATE INDEX pending_sign_ins_expires_at_idx ON auth.pending_sign_ins (expires_at)');
    await runner.query('CREATE INDEX pending_sign_ins_user_id_idx ON auth.pending_sign_ins (user_id)');
    // Wrong authenticator codes of an account since `since`.
    await runner.query(`
      CREATE TABLE auth.wrong_codes (
        user_id uuid CONSTRAINT wrong_codes_pkey PRIMARY KEY,
        since timestamptz NOT NULL,
        count integer NOT NULL,
        CONSTRAINT wrong_codes_user_id_fkey
          FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    // users.second_factor says what the table holds, at most ten for a user, and recovery codes end with the last factor.
    await runner.query(`
      CREATE FUNCTION auth.note_second_factor() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        owner uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
        factors integer;
      BEGIN
        PERFORM FROM auth.users WHERE id = owner FOR NO KEY UPDATE;
        SELECT count(*) INTO factors FROM auth.second_factors WHERE user_id = owner;
        IF factors > 10 THEN
          RAISE EXCEPTION 'too many second factors'
            USING ERRCODE = 'check_violation', SCHEMA = 'auth', TABLE = 'second_factors',
                  CONSTRAINT = 'second_factors_limit';
        END IF;
        UPDATE auth.users SET second_factor = factors > 0 WHERE id = owner AND second_factor <> (factors > 0);
        IF factors = 0 THEN
          DELETE FROM auth.recovery_codes WHERE user_id = owner;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER second_factors_note AFTER INSERT OR DELETE ON auth.second_factors
      FOR EACH ROW EXECUTE FUNCTION auth.note_second_factor()`);
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE, DELETE
      ON auth.second_factors, auth.recovery_codes, auth.second_factor_setups, auth.pending_sign_ins, auth.wrong_codes
      TO meetmark_auth`);
    await runner.query(`
      GRANT SELECT (expires_at), DELETE ON auth.second_factor_setups, auth.pending_sign_ins TO meetmark_worker`);
    await runner.query('GRANT SELECT (user_id, kind) ON auth.second_factor_setups TO meetmark_worker');
    await runner.query('GRANT SELECT (token_hash) ON auth.pending_sign_ins TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.wrong_codes');
    await runner.query('DROP TABLE auth.pending_sign_ins');
    await runner.query('DROP TABLE auth.second_factor_setups');
    await runner.query('DROP TABLE auth.recovery_codes');
    await runner.query('DROP TABLE auth.second_factors');
    await runner.query('DROP FUNCTION auth.note_second_factor');
    await runner.query('ALTER TABLE auth.users DROP COLUMN second_factor');
  }
}
