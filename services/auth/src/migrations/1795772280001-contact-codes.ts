import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** A code may prove the address of somebody who writes to the host of an event. */
export class ContactCodes1795772280001 implements Migration {
  name = 'ContactCodes1795772280001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.code_flows DROP CONSTRAINT code_flows_purpose_check,
        ADD CONSTRAINT code_flows_purpose_check
          CHECK (purpose IN ('verify', 'sign-in', 'reset', 'change-present', 'change-new', 'rsvp', 'contact')),
        ADD CONSTRAINT code_flows_contact_check CHECK (purpose <> 'contact' OR event_id IS NOT NULL)`);
  }
}
