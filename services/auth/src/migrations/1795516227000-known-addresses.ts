import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** The gateway's log of security events has rows of accounts, and counts attempts at addresses without one. */
export class KnownAddresses1795516227000 implements Migration {
  name = 'KnownAddresses1795516227000';

  async up(runner: QueryRunner): Promise<void> {
    // Answers for one address at a time: a view would list them all.
    await runner.query(`
      CREATE FUNCTION auth.has_account(address text) RETURNS boolean
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
        SELECT EXISTS (SELECT FROM auth.users WHERE lower(email) = address)
      $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION auth.has_account(text) FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION auth.has_account(text) TO meetmark_gateway');
  }
}
