import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every service asks the database whether the caller of an administrator's message is one at this moment. */
export class ReadRights1795336420000 implements MigrationInterface {
  name = 'ReadRights1795336420000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT SELECT ON auth.administrator TO meetmark_auth, meetmark_admin');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT ON auth.administrator FROM meetmark_auth, meetmark_admin');
  }
}
