import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language of the pages on which an address was signed up; null: the community's. The mails to that address are in it. */
export class SubscriptionLocales1795430000000 implements MigrationInterface {
  name = 'SubscriptionLocales1795430000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['subscription_requests', 'subscriptions'])
      await runner.query(`
        ALTER TABLE events.${table} ADD COLUMN locale text
          CONSTRAINT ${table}_locale_check CHECK (locale IN ('en-US', 'en-GB', 'de'))`);
    await runner.query('GRANT INSERT (locale) ON events.subscription_requests TO meetmark_events');
    await this.confirming(runner, {
      columns: ', locale',
      values: ', wish.locale',
      // of the pages that were read last
      again: ', locale = excluded.locale',
    });
  }

  private async confirming(
    runner: QueryRunner,
    { columns, values, again }: { columns: string; values: string; again: string },
  ): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.confirm_subscription(request uuid) RETURNS boolean
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        wish events.subscription_requests;
        account uuid;
      BEGIN
        SELECT * INTO wish FROM events.subscription_requests
        WHERE id = request AND requested_at > now() - interval '7 days' FOR UPDATE;
        IF NOT FOUND THEN
          RETURN false;
        END IF;
        IF wish.confirmed_at IS NOT NULL THEN
          RETURN true;
        END IF;
        UPDATE events.subscription_requests SET confirmed_at = now() WHERE id = request;
        -- an account that appears at the same moment takes the subscription afterwards
        PERFORM pg_advisory_xact_lock(hashtextextended('events.subscription ' || wish.email, 0));
        SELECT id INTO account FROM auth.users WHERE email = wish.email AND email_verified_at IS NOT NULL FOR KEY SHARE;
        IF account IS NOT NULL THEN
          INSERT INTO events.topic_follows (topic_id, user_id)
          SELECT id, account FROM events.topics WHERE id = ANY (wish.topic_ids) ON CONFLICT DO NOTHING;
          RETURN true;
        END IF;
        WITH subscription AS (
          INSERT INTO events.subscriptions AS present (email, announcements, digest${columns})
          VALUES (wish.email, cardinality(wish.topic_ids) > 0, wish.digest${values})
          ON CONFLICT (email) DO UPDATE SET changed_at = now(), digest = present.digest OR excluded.digest,
            announcements = present.announcements OR excluded.announcements${again}
          RETURNING id
        )
        INSERT INTO events.subscription_topics (subscription_id, topic_id)
        SELECT subscription.id, topic.id FROM subscription, events.topics AS topic WHERE topic.id = ANY (wish.topic_ids)
        ON CONFLICT DO NOTHING;
        RETURN true;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.confirming(runner, { columns: '', values: '', again: '' });
    for (const table of ['subscription_requests', 'subscriptions'])
      await runner.query(`ALTER TABLE events.${table} DROP COLUMN locale`);
  }
}
