import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * The file of 1.0.0 said EUR, the one that is shipped now says GBP. A community that somebody owns already and that lived by that file keeps
 * its currency: it is the first version of the settings, which holds while there is no file of the operator's own.
 */
export class KeptCurrency1795536622000 implements Migration {
  name = 'KeptCurrency1795536622000';

  async up(runner: QueryRunner): Promise<void> {
    // one entry: a replica of 1.0.0 that changes settings meanwhile takes all others from its file
    await runner.query(`
      INSERT INTO admin.community_settings (version, settings)
      SELECT 1, '{"currency": "EUR"}'
      WHERE EXISTS (SELECT FROM auth.administrator) AND NOT EXISTS (SELECT FROM admin.community_settings)`);
  }
}
