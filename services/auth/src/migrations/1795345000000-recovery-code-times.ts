import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a recovery code was made: taking an address back ends those made since the address changed. */
export class RecoveryCodeTimes1795345000000 implements MigrationInterface {
  name = 'RecoveryCodeTimes1795345000000';

  async up(runner: QueryRunner): Promise<void> {
    // of the codes there are it is unknown: they count as older than every change
    await runner.query(
      "ALTER TABLE auth.recovery_codes ADD COLUMN created_at timestamptz NOT NULL DEFAULT '-infinity'",
    );
    await runner.query('ALTER TABLE auth.recovery_codes ALTER COLUMN created_at SET DEFAULT now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.recovery_codes DROP COLUMN created_at');
  }
}
