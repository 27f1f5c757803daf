import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language that a member chose for screens and mails; null: the community's. */
export class Locales1795384000000 implements MigrationInterface {
  name = 'Locales1795384000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.users ADD COLUMN locale text
        CONSTRAINT users_locale_check CHECK (locale IN ('en-US', 'en-GB', 'de'))`);
    await runner.query('CREATE VIEW auth.member_locale AS SELECT id, locale FROM auth.users');
    await runner.query('GRANT SELECT ON auth.member_locale TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW auth.member_locale');
    await runner.query('ALTER TABLE auth.users DROP COLUMN locale');
  }
}
