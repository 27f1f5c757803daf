import { normaliseEmail } from '@meetmark/contracts';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PICTURE_URL = "'/media/avatars/' || profile_picture_hash || '.webp'";

/** Addresses have one form, are verified or not, and change by codes; a password is no longer needed to have an account. */
export class VerifiedAddresses1795337000000 implements MigrationInterface {
  name = 'VerifiedAddresses1795337000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.users
        ADD COLUMN email_verified_at timestamptz(3),
        ADD COLUMN pending_email text,
        ADD COLUMN pending_email_at timestamptz(3),
        ADD COLUMN feeds_ended_at timestamptz(3),
        ALTER COLUMN password_hash DROP NOT NULL,
        ADD CONSTRAINT users_pending_email_check CHECK (
          (pending_email IS NULL) = (pending_email_at IS NULL)
          AND char_length(pending_email) <= 255 AND pending_email ~ '^[ -~]+$')`);
    // This is no edit of these accounts: their versions and times stay.
    await runner.query('ALTER TABLE auth.users DISABLE TRIGGER users_raise_version');
    await runner.query(`
      UPDATE auth.users SET email_verified_at = now(), email = CASE WHEN email ~ '^[ -~]+$' THEN lower(email) ELSE email END`);
    await this.foldAddresses(runner);
    await runner.query('ALTER TABLE auth.users ENABLE TRIGGER users_raise_version');
    // With lower(email) unique, no two accounts have the same address in any spelling.
    await runner.query(
      "ALTER TABLE auth.users ADD CONSTRAINT users_email_ascii_check CHECK (email ~ '^[ -~]+$')",
    );
    await this.publish(runner);
    await this.codes(runner);
    await this.accountsWithoutProof(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION auth.remove_unverified_accounts, auth.unverified_accounts_to_warn');
    await runner.query('DROP FUNCTION auth.warn_unverified_account');
    await runner.query('DROP TABLE auth.unverified_accounts, auth.email_reverts');
    await runner.query('DROP VIEW auth.feed_end, auth.listed_member, auth.mail_recipient');
    await runner.query(`
      CREATE VIEW auth.mail_recipient AS
      SELECT id, email, first_name, last_name, event_updates, reminders FROM auth.users`);
    await runner.query('GRANT SELECT ON auth.mail_recipient TO meetmark_worker');
    // An account without a password has no sign-in by password.
    await runner.query("UPDATE auth.users SET password_hash = '$argon2id$none' WHERE password_hash IS NULL");
    await runner.query(`
      ALTER TABLE auth.users
        DROP CONSTRAINT users_email_ascii_check, DROP CONSTRAINT users_pending_email_check,
        DROP COLUMN email_verified_at, DROP COLUMN pending_email, DROP COLUMN pending_email_at,
        DROP COLUMN feeds_ended_at, ALTER COLUMN password_hash SET NOT NULL`);
    await runner.query(RESET_TOKENS);
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
    await runner.query(mailStatus('password_reset_tokens f ON f.id', 'resetTokenId', 'NULL'));
    await runner.query(forgetUser('password_reset_tokens'));
    await runner.query('DROP TABLE auth.code_flows');
  }

  /** Domains beyond ASCII get the form that DNS knows. Two accounts that turn out to share an address are for people to sort out. */
  private async foldAddresses(runner: QueryRunner): Promise<void> {
    const rows = (await runner.query(
      "SELECT id, email FROM auth.users WHERE email !~ '^[ -~]+$' ORDER BY id",
    )) as {
      id: string;
      email: string;
    }[];
    for (const { id, email } of rows) {
      const form = normaliseEmail(email);
      const [other] = (await runner.query('SELECT id FROM auth.users WHERE lower(email) = $1 AND id <> $2', [
        form,
        id,
      ])) as { id: string }[];
      if (other !== undefined)
        throw new Error(`the accounts ${id} and ${other.id} have the same address: change one, then upgrade`);
      await runner.query('UPDATE auth.users SET email = $1 WHERE id = $2', [form, id]);
    }
  }

  private async publish(runner: QueryRunner): Promise<void> {
    // An account is not listed while its address may be another person's.
    await runner.query(`
      CREATE VIEW auth.listed_member AS
      SELECT id, first_name, last_name, ${PICTURE_URL} AS profile_image_url, linked_in_url
      FROM auth.users WHERE email_verified_at IS NOT NULL`);
    await runner.query('GRANT SELECT ON auth.listed_member TO meetmark_events');
    await runner.query(`
      CREATE OR REPLACE VIEW auth.mail_recipient AS
      SELECT id, email, first_name, last_name, event_updates, reminders, email_verified_at IS NOT NULL AS verified
      FROM auth.users`);
    // A secret calendar address made before this moment is over.
    await runner.query('CREATE VIEW auth.feed_end AS SELECT id, feeds_ended_at FROM auth.users');
    await runner.query('GRANT SELECT ON auth.feed_end TO meetmark_events');
  }

  /**
   * One row for each code that was asked for. browser_hash is the cookie of the browser that asked; without one any browser may
   * use the code. user_id is null for an address without an account: asking does the same work either way. sealed is an
   * encrypted copy for the mail alone, which the worker clears.
   */
  private async codes(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.code_flows (
        id uuid CONSTRAINT code_flows_pkey PRIMARY KEY,
        purpose text NOT NULL,
        user_id uuid,
        email text NOT NULL,
        new_email text,
        browser_hash bytea,
        network_hash bytea,
        code_hash bytea,
        link_hash bytea NOT NULL,
        sealed text,
        tries integer NOT NULL DEFAULT 0,
        tries_by_network jsonb NOT NULL DEFAULT '{}',
        mail_at timestamptz,
        expires_at timestamptz NOT NULL,
        link_expires_at timestamptz NOT NULL,
        ended_at timestamptz,
        confirmed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT code_flows_purpose_check
          CHECK (purpose IN ('verify', 'sign-in', 'reset', 'change-present', 'change-new')),
        CONSTRAINT code_flows_email_check CHECK (email = lower(email) AND email ~ '^[ -~]+$' AND char_length(email) <= 255),
        CONSTRAINT code_flows_hashes_check CHECK (octet_length(link_hash) = 32 AND octet_length(code_hash) = 32
          AND octet_length(browser_hash) = 32 AND octet_length(network_hash) = 32),
        CONSTRAINT code_flows_link_hash_key UNIQUE (link_hash),
        CONSTRAINT code_flows_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX code_flows_email_idx ON auth.code_flows (email, created_at)');
    await runner.query('CREATE INDEX code_flows_browser_idx ON auth.code_flows (browser_hash, created_at)');
    await runner.query('CREATE INDEX code_flows_user_id_idx ON auth.code_flows (user_id)');
    await runner.query('CREATE INDEX code_flows_created_at_idx ON auth.code_flows (created_at)');
    await runner.query(mailStatus('code_flows f ON f.id', 'flowId', 'f.email'));
    await runner.query(forgetUser('code_flows'));
    await runner.query('DROP TABLE auth.password_reset_tokens');
    // The way back to the address that an account had.
    await runner.query(`
      CREATE TABLE auth.email_reverts (
        id uuid CONSTRAINT email_reverts_pkey PRIMARY KEY,
        user_id uuid NOT NULL,
        email text NOT NULL,
        link_hash bytea NOT NULL,
        sealed text,
        expires_at timestamptz NOT NULL,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT email_reverts_link_hash_check CHECK (octet_length(link_hash) = 32),
        CONSTRAINT email_reverts_link_hash_key UNIQUE (link_hash),
        CONSTRAINT email_reverts_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX email_reverts_user_id_idx ON auth.email_reverts (user_id)');
    await runner.query('CREATE INDEX email_reverts_expires_at_idx ON auth.email_reverts (expires_at)');
    await runner.query(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON auth.code_flows, auth.email_reverts TO meetmark_auth',
    );
    await runner.query(`
      GRANT SELECT (id, purpose, user_id, email, sealed, link_expires_at, ended_at, created_at), UPDATE (sealed), DELETE
      ON auth.code_flows TO meetmark_worker`);
    await runner.query(`
      GRANT SELECT (id, user_id, email, sealed, expires_at, ended_at), UPDATE (sealed), DELETE
      ON auth.email_reverts TO meetmark_worker`);
  }

  /** Accounts whose address is not verified, and when they were last used. */
  private async accountsWithoutProof(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.unverified_accounts (
        user_id uuid CONSTRAINT unverified_accounts_pkey PRIMARY KEY,
        signed_in_at timestamptz NOT NULL DEFAULT now(),
        warned_at timestamptz,
        CONSTRAINT unverified_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX unverified_accounts_idx ON auth.unverified_accounts (signed_in_at)');
    await runner.query('GRANT SELECT, INSERT, UPDATE, DELETE ON auth.unverified_accounts TO meetmark_auth');
    // The worker may do this and no more: it cannot delete any other account, nor make a code that opens one.
    const unused = (days: number) => `
      account.signed_in_at < now() - interval '${days} days'
      AND u.email_verified_at IS NULL AND NOT u.is_admin
      AND NOT EXISTS (SELECT FROM events.event_registrations WHERE user_id = u.id)
      AND NOT EXISTS (SELECT FROM events.events WHERE created_by_id = u.id)`;
    await runner.query(`
      CREATE FUNCTION auth.unverified_accounts_to_warn(at_most integer) RETURNS TABLE (id uuid, email text)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        RETURN QUERY SELECT u.id, u.email FROM auth.unverified_accounts account JOIN auth.users u ON u.id = account.user_id
        WHERE ${unused(23)} AND account.warned_at IS NULL ORDER BY account.signed_in_at LIMIT at_most;
      END $$`);
    await runner.query(`
      CREATE FUNCTION auth.warn_unverified_account(account_id uuid, flow_id uuid, link bytea, sealed_link text, job text)
      RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        UPDATE auth.unverified_accounts SET warned_at = now() WHERE user_id = account_id AND warned_at IS NULL;
        IF NOT FOUND THEN RETURN; END IF;
        INSERT INTO auth.code_flows (id, purpose, user_id, email, link_hash, sealed, mail_at, expires_at, link_expires_at)
        SELECT flow_id, 'verify', u.id, lower(u.email), link, sealed_link, now(), now(), now() + interval '7 days'
        FROM auth.users u WHERE u.id = account_id AND u.email_verified_at IS NULL;
        IF FOUND THEN
          INSERT INTO auth.outbox (id, job, payload)
          VALUES (gen_random_uuid(), job, jsonb_build_object('flowId', flow_id, 'removal', true));
        END IF;
      END $$`);
    await runner.query(`
      CREATE FUNCTION auth.remove_unverified_accounts(at_most integer) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        removed integer;
      BEGIN
        DELETE FROM auth.users WHERE users.id IN (
          SELECT u.id FROM auth.unverified_accounts account JOIN auth.users u ON u.id = account.user_id
          WHERE ${unused(30)} AND account.warned_at < now() - interval '7 days' LIMIT at_most FOR UPDATE OF u SKIP LOCKED);
        GET DIAGNOSTICS removed = ROW_COUNT;
        RETURN removed;
      END $$`);
    for (const signature of [
      'auth.unverified_accounts_to_warn(integer)',
      'auth.warn_unverified_account(uuid, uuid, bytea, text, text)',
      'auth.remove_unverified_accounts(integer)',
    ]) {
      await runner.query(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`);
      await runner.query(`GRANT EXECUTE ON FUNCTION ${signature} TO meetmark_worker`);
    }
  }
}

/** Whom a mail is for: a code may go to an address that is not the account's yet. */
const mailStatus = (flows: string, flowId: string, email: string) => `
  CREATE OR REPLACE VIEW auth.mail_status AS
  SELECT o.id, o.job, o.created_at, o.done_at, o.attempts, o.last_error, o.skipped,
    coalesce(o.payload ->> 'oldEmail', CASE WHEN f.user_id IS NOT NULL THEN ${email} END, u.email) AS recipient
  FROM auth.outbox o
  LEFT JOIN auth.${flows} = (o.payload ->> '${flowId}')::uuid
  LEFT JOIN auth.users u ON u.id = coalesce((o.payload ->> 'userId')::uuid, f.user_id)
  WHERE o.job LIKE 'mail.%'`;

/** With an account go the codes of its address, also those that were asked for before there was one. */
const forgetUser = (codes: string) => `
  CREATE OR REPLACE FUNCTION auth.forget_user() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
  BEGIN
    DELETE FROM auth.outbox WHERE payload ->> 'userId' = OLD.id::text;
    DELETE FROM auth.${codes} WHERE email = lower(OLD.email);
    RETURN NULL;
  END $$`;

const RESET_TOKENS = `
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
    CONSTRAINT password_reset_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
  )`;
