import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** What the worker found when it last looked up the records of the sender's domain, for the owners' checklist. */
export class MailCheck1795773300000 implements Migration {
  name = 'MailCheck1795773300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE admin.mail_check (
        is_last boolean PRIMARY KEY DEFAULT true,
        domain text NOT NULL,
        selector text,
        records jsonb NOT NULL,
        checked_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT mail_check_is_last_check CHECK (is_last),
        CONSTRAINT mail_check_domain_check CHECK (char_length(domain) BETWEEN 1 AND 255),
        CONSTRAINT mail_check_selector_check CHECK (char_length(selector) BETWEEN 1 AND 120),
        CONSTRAINT mail_check_records_check CHECK (jsonb_typeof(records) = 'array' AND pg_column_size(records) <= 16384),
        CONSTRAINT mail_check_states_check
          CHECK (NOT jsonb_path_exists(records, '$[*] ? (!(@.state == "found" || @.state == "missing" || @.state == "several" || @.state == "unknown"))'))
      )`);
    await runner.query('GRANT SELECT ON admin.mail_check TO meetmark_admin');
    await runner.query('GRANT SELECT, INSERT, UPDATE ON admin.mail_check TO meetmark_worker');
  }
}
