import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** Whose mail it is, for the administrators' System page, also where they have no account and no other service has the address. */
export class MailRecipientsWithoutAccount1795513072000 implements Migration {
  name = 'MailRecipientsWithoutAccount1795513072000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW events.mail_status AS
      SELECT o.id, o.job, o.created_at, o.done_at, o.attempts, o.last_error, o.skipped,
        coalesce((o.payload ->> 'userId')::uuid, r.user_id) AS recipient_id,
        coalesce(o.payload #>> '{guest,email}', CASE WHEN r.user_id IS NULL THEN r.guest_email END,
          (SELECT email FROM events.subscriptions AS s WHERE s.id = (o.payload ->> 'subscriptionId')::uuid),
          (SELECT email FROM events.subscription_requests AS q WHERE q.id = (o.payload ->> 'requestId')::uuid)) AS recipient
      FROM events.outbox o
      LEFT JOIN events.event_registrations r ON r.id = (o.payload ->> 'registrationId')::uuid
      WHERE o.job LIKE 'mail.%'`);
  }
}
