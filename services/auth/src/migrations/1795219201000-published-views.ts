import type { MigrationInterface, QueryRunner } from 'typeorm';

const PICTURE_URL = "'/media/avatars/' || profile_picture_hash || '.webp'";

/** What other processes may know of users: each role reads a view and never the table with the hashes. */
export class PublishedViews1795219201000 implements MigrationInterface {
  name = 'PublishedViews1795219201000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW auth.member_card AS
      SELECT id, first_name, last_name, ${PICTURE_URL} AS profile_image_url, linked_in_url FROM auth.users`);
    // For the administrators' list of an event's registrations only.
    await runner.query(`
      CREATE VIEW auth.member_contact AS
      SELECT id, first_name, last_name, email, ${PICTURE_URL} AS profile_image_url FROM auth.users`);
    // For re-reading an administrator's right inside the transaction that needs it.
    await runner.query('CREATE VIEW auth.administrator AS SELECT id FROM auth.users WHERE is_admin');
    await runner.query(`
      CREATE VIEW auth.mail_recipient AS
      SELECT id, email, first_name, last_name, event_updates, reminders FROM auth.users`);
    await runner.query(
      'GRANT SELECT ON auth.member_card, auth.member_contact, auth.administrator TO meetmark_events',
    );
    await runner.query('GRANT SELECT ON auth.mail_recipient TO meetmark_worker');
    // Pictures that are shown nowhere any more are garbage that the worker collects.
    await runner.query('GRANT SELECT (hash, created_at), DELETE ON auth.pictures TO meetmark_worker');
    await runner.query('GRANT SELECT (profile_picture_hash) ON auth.users TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT (profile_picture_hash) ON auth.users FROM meetmark_worker');
    await runner.query('REVOKE SELECT (hash, created_at), DELETE ON auth.pictures FROM meetmark_worker');
    await runner.query(
      'DROP VIEW auth.mail_recipient, auth.administrator, auth.member_contact, auth.member_card',
    );
  }
}
