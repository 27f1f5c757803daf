import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** When the last backup was made. The command that makes one writes it, as the owner of the database; a restored database has that of its backup. */
export class LastBackup1795772090000 implements Migration {
  name = 'LastBackup1795772090000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE admin.last_backup (
        is_last boolean PRIMARY KEY DEFAULT true,
        made_at timestamptz(3) NOT NULL,
        CONSTRAINT last_backup_is_last_check CHECK (is_last)
      )`);
    await runner.query('GRANT SELECT ON admin.last_backup TO meetmark_admin');
  }
}
