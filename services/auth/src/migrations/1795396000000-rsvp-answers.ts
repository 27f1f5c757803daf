import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What somebody who registers by address and code answers the event's questions waits with the flow. */
export class RsvpAnswers1795396000000 implements MigrationInterface {
  name = 'RsvpAnswers1795396000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.code_flows
        ADD COLUMN answers jsonb,
        ADD CONSTRAINT code_flows_answers_check
          CHECK (answers IS NULL OR (purpose = 'rsvp' AND jsonb_typeof(answers) = 'object'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.code_flows DROP COLUMN answers');
  }
}
