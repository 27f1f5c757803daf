import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language of the pages of the browser that asked for a code; null: the community's. A stranger's mail and new account are in it. */
export class FlowLocales1795419000000 implements MigrationInterface {
  name = 'FlowLocales1795419000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.code_flows ADD COLUMN locale text
        CONSTRAINT code_flows_locale_check CHECK (locale IN ('en-US', 'en-GB', 'de'))`);
    await runner.query('GRANT SELECT (locale) ON auth.code_flows TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.code_flows DROP COLUMN locale');
  }
}
