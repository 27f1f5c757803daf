import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The guest list of an event finds members by the same text, and the same index, as the list of users. */
export class ContactSearch1795398000000 implements MigrationInterface {
  name = 'ContactSearch1795398000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW auth.member_contact AS
      SELECT id, first_name, last_name, email, '/media/avatars/' || profile_picture_hash || '.webp' AS profile_image_url,
        search_text
      FROM auth.users`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW auth.member_contact');
    await runner.query(`
      CREATE VIEW auth.member_contact AS
      SELECT id, first_name, last_name, email, '/media/avatars/' || profile_picture_hash || '.webp' AS profile_image_url
      FROM auth.users`);
    await runner.query('GRANT SELECT ON auth.member_contact TO meetmark_events');
  }
}
