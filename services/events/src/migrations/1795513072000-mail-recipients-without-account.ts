import type { MigrationInterface, QueryRunner } from 'typeorm';

const VIEW = (more: string) => `
  CREATE ${more === '' ? '' : 'OR REPLACE '}VIEW events.mail_status AS
  SELECT o.id, o.job, o.created_at, o.done_at, o.attempts, o.last_error, o.skipped,
    coalesce((o.payload ->> 'userId')::uuid, r.user_id) AS recipient_id${more}
  FROM events.outbox o
  LEFT JOIN events.event_registrations r ON r.id = (o.payload ->> 'registrationId')::uuid
  WHERE o.job LIKE 'mail.%'`;

/** The address of somebody without an account, which no other service has: of a guest, or of who signed up for announcements. */
const ADDRESS = `,
    coalesce(o.payload #>> '{guest,email}', CASE WHEN r.user_id IS NULL THEN r.guest_email END,
      (SELECT email FROM events.subscriptions AS s WHERE s.id = (o.payload ->> 'subscriptionId')::uuid),
      (SELECT email FROM events.subscription_requests AS q WHERE q.id = (o.payload ->> 'requestId')::uuid)) AS recipient`;

/** Whose mail it is, for the administrators' System page, also where they have no account. */
export class MailRecipientsWithoutAccount1795513072000 implements MigrationInterface {
  name = 'MailRecipientsWithoutAccount1795513072000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(VIEW(ADDRESS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW events.mail_status');
    await runner.query(VIEW(''));
    await runner.query('GRANT SELECT ON events.mail_status TO meetmark_admin');
  }
}
