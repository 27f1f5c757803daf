import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Setup1795390500000 implements MigrationInterface {
  name = 'Setup1795390500000';

  async up(runner: QueryRunner): Promise<void> {
    // Only the newest link works, so there is only one. owner_id: whom it made, who may ask again with the same link.
    await runner.query(`
      CREATE TABLE auth.setup_links (
        hash bytea CONSTRAINT setup_links_pkey PRIMARY KEY,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        owner_id uuid,
        CONSTRAINT setup_links_hash_check CHECK (octet_length(hash) = 32),
        CONSTRAINT setup_links_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX setup_links_one_idx ON auth.setup_links ((true))');
    await runner.query(
      'GRANT SELECT, INSERT, UPDATE (owner_id), DELETE ON auth.setup_links TO meetmark_auth',
    );
    // The gateway shows one page until somebody owns the installation.
    await runner.query('GRANT USAGE ON SCHEMA auth TO meetmark_gateway');
    await runner.query('GRANT SELECT ON auth.administrator TO meetmark_gateway');
    // Owners change the settings of the community.
    await runner.query(
      'GRANT EXECUTE ON FUNCTION auth.administrator_refusal(uuid, integer) TO meetmark_admin',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'REVOKE EXECUTE ON FUNCTION auth.administrator_refusal(uuid, integer) FROM meetmark_admin',
    );
    await runner.query('REVOKE SELECT ON auth.administrator FROM meetmark_gateway');
    await runner.query('REVOKE USAGE ON SCHEMA auth FROM meetmark_gateway');
    await runner.query('DROP TABLE auth.setup_links');
  }
}
