import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * Mails of codes to one address wait for each other within their lane only. `lane` stands for a browser or network that the owner of the
 * account uses, or for an administrator; null is the lane of everybody else.
 */
export class CodeLanes1795511729000 implements Migration {
  name = 'CodeLanes1795511729000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.code_flows ADD COLUMN lane bytea,
        ADD CONSTRAINT code_flows_lane_check CHECK (octet_length(lane) = 32)`);
  }
}
