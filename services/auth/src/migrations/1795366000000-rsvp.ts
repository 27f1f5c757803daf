import type { MigrationInterface, QueryRunner } from 'typeorm';

const PURPOSES = `'verify', 'sign-in', 'reset', 'change-present', 'change-new'`;

/**
 * Registering for an event by address and code: the flow keeps what is wanted and who a new account is for, a pending sign-in what its
 * first step was taken for. confirmed_epoch is the account's session epoch when the browser that asked confirmed by its code: an answer
 * that was lost can be given again until the sessions of that epoch end.
 */
export class Rsvp1795366000000 implements MigrationInterface {
  name = 'Rsvp1795366000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.code_flows
        DROP CONSTRAINT code_flows_purpose_check,
        ADD COLUMN event_id uuid,
        ADD COLUMN first_name text,
        ADD COLUMN last_name text,
        ADD COLUMN show_me text,
        ADD COLUMN waitlist boolean,
        ADD COLUMN confirmed_epoch integer`);
    await runner.query(`
      ALTER TABLE auth.code_flows
        ADD CONSTRAINT code_flows_purpose_check CHECK (purpose IN (${PURPOSES}, 'rsvp')),
        ADD CONSTRAINT code_flows_rsvp_check CHECK ((purpose = 'rsvp')
          = (event_id IS NOT NULL AND first_name IS NOT NULL AND last_name IS NOT NULL AND waitlist IS NOT NULL)),
        ADD CONSTRAINT code_flows_names_check
          CHECK (char_length(first_name) BETWEEN 1 AND 100 AND char_length(last_name) BETWEEN 1 AND 100),
        ADD CONSTRAINT code_flows_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin')),
        ADD CONSTRAINT code_flows_confirmed_epoch_check
          CHECK (confirmed_epoch IS NULL OR (purpose = 'rsvp' AND confirmed_at IS NOT NULL AND user_id IS NOT NULL))`);
    await runner.query('GRANT SELECT (event_id) ON auth.code_flows TO meetmark_worker');
    await runner.query('ALTER TABLE auth.pending_sign_ins ADD COLUMN wanted jsonb');
    await runner.query(mailStatus(`f.user_id IS NOT NULL OR f.purpose = 'rsvp'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(mailStatus('f.user_id IS NOT NULL'));
    await runner.query('ALTER TABLE auth.pending_sign_ins DROP COLUMN wanted');
    await runner.query("DELETE FROM auth.code_flows WHERE purpose = 'rsvp'");
    await runner.query(`
      ALTER TABLE auth.code_flows
        DROP CONSTRAINT code_flows_purpose_check, DROP CONSTRAINT code_flows_rsvp_check,
        DROP CONSTRAINT code_flows_confirmed_epoch_check,
        DROP COLUMN event_id, DROP COLUMN first_name, DROP COLUMN last_name, DROP COLUMN show_me, DROP COLUMN waitlist,
        DROP COLUMN confirmed_epoch,
        ADD CONSTRAINT code_flows_purpose_check CHECK (purpose IN (${PURPOSES}))`);
  }
}

/** Whom a mail is for. The address of a code that goes nowhere, because no account has it, is not shown. */
const mailStatus = (isMailed: string) => `
  CREATE OR REPLACE VIEW auth.mail_status AS
  SELECT o.id, o.job, o.created_at, o.done_at, o.attempts, o.last_error, o.skipped,
    coalesce(o.payload ->> 'oldEmail', CASE WHEN ${isMailed} THEN f.email END, u.email) AS recipient
  FROM auth.outbox o
  LEFT JOIN auth.code_flows f ON f.id = (o.payload ->> 'flowId')::uuid
  LEFT JOIN auth.users u ON u.id = coalesce((o.payload ->> 'userId')::uuid, f.user_id)
  WHERE o.job LIKE 'mail.%'`;
