import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The calendar that a member subscribes to is in the member's language. */
export class FeedLocales1795431000000 implements MigrationInterface {
  name = 'FeedLocales1795431000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT SELECT ON auth.member_locale TO meetmark_events');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT ON auth.member_locale FROM meetmark_events');
  }
}
