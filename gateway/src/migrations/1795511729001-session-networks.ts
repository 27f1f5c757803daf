import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** Where an account is signed in, for auth: codes that are asked for from there do not wait behind those of others. */
export class SessionNetworks1795511729001 implements Migration {
  name = 'SessionNetworks1795511729001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW gateway.session_network AS
      SELECT user_id, (sess->>'epoch')::integer AS epoch, sess->>'network' AS network, expire FROM gateway.sessions`);
    await runner.query('GRANT USAGE ON SCHEMA gateway TO meetmark_auth');
    await runner.query('GRANT SELECT ON gateway.session_network TO meetmark_auth');
  }
}
