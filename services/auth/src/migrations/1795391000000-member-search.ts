import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members are found by their names, for the events that name them: never by their addresses, and only once those are verified. */
export class MemberSearch1795391000000 implements MigrationInterface {
  name = 'MemberSearch1795391000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX users_name_search_idx ON auth.users USING gin (sort_name public.gin_trgm_ops)',
    );
    // `part` is a pattern of LIKE; whoever asks learns ten people at most
    await runner.query(`
      CREATE FUNCTION auth.find_members(part text)
      RETURNS TABLE (id uuid, first_name text, last_name text, profile_image_url text)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
        SELECT card.id, card.first_name, card.last_name, card.profile_image_url
        FROM auth.users AS account JOIN auth.member_card AS card ON card.id = account.id
        WHERE account.sort_name LIKE lower(part) AND account.email_verified_at IS NOT NULL
        ORDER BY account.sort_name, account.id LIMIT 10
      $$`);
    await runner.query('REVOKE ALL ON FUNCTION auth.find_members(text) FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION auth.find_members(text) TO meetmark_events');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION auth.find_members');
    await runner.query('DROP INDEX auth.users_name_search_idx');
  }
}
