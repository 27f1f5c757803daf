import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Addresses of people without an account who want announcements or the digest. A request is a wish that nobody has confirmed; a subscription
 * is one whose address was proved. What an account with the verified address has is the account's: neither of the two stays beside it.
 */
export class Subscriptions1795392000000 implements MigrationInterface {
  name = 'Subscriptions1795392000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.subscription_requests (
        id uuid CONSTRAINT subscription_requests_pkey PRIMARY KEY,
        email text NOT NULL,
        topic_ids uuid[] NOT NULL,
        digest boolean NOT NULL,
        requested_at timestamptz(3) NOT NULL DEFAULT now(),
        confirmed_at timestamptz(3),
        CONSTRAINT subscription_requests_email_check CHECK (email ~ '^[ -~]+$' AND char_length(email) <= 255),
        CONSTRAINT subscription_requests_topics_check CHECK (cardinality(topic_ids) <= 12),
        CONSTRAINT subscription_requests_wish_check CHECK (digest OR cardinality(topic_ids) > 0)
      )`);
    await runner.query(
      'CREATE INDEX subscription_requests_email_idx ON events.subscription_requests (email, requested_at)',
    );
    await runner.query(
      'CREATE INDEX subscription_requests_requested_at_idx ON events.subscription_requests (requested_at)',
    );
    await runner.query(`
      CREATE TABLE events.subscriptions (
        id uuid CONSTRAINT subscriptions_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        email text NOT NULL,
        announcements boolean NOT NULL,
        digest boolean NOT NULL,
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT subscriptions_email_key UNIQUE (email),
        CONSTRAINT subscriptions_email_check CHECK (email ~ '^[ -~]+$' AND char_length(email) <= 255)
      )`);
    await runner.query(`
      CREATE TABLE events.subscription_topics (
        subscription_id uuid NOT NULL,
        topic_id uuid NOT NULL,
        CONSTRAINT subscription_topics_pkey PRIMARY KEY (topic_id, subscription_id),
        CONSTRAINT subscription_topics_subscription_id_fkey
          FOREIGN KEY (subscription_id) REFERENCES events.subscriptions (id) ON DELETE CASCADE,
        CONSTRAINT subscription_topics_topic_id_fkey
          FOREIGN KEY (topic_id) REFERENCES events.topics (id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX subscription_topics_subscription_id_idx ON events.subscription_topics (subscription_id)',
    );
    await runner.query(`
      GRANT SELECT, INSERT (id, email, topic_ids, digest) ON events.subscription_requests TO meetmark_events`);
    await runner.query(
      'GRANT SELECT, UPDATE (announcements, digest, changed_at) ON events.subscriptions TO meetmark_events',
    );
    await runner.query(
      'GRANT SELECT, INSERT (subscription_id, topic_id) ON events.subscription_topics TO meetmark_events',
    );
    await runner.query('GRANT SELECT, DELETE ON events.subscription_requests TO meetmark_worker');
    await runner.query('GRANT SELECT, DELETE ON events.subscriptions TO meetmark_worker');
    await runner.query('GRANT SELECT ON events.subscription_topics TO meetmark_worker');
    await this.confirming(runner);
    await this.joining(runner);
  }

  /** Whoever has the account of an address follows the topics with it; its digest is a setting of the account. */
  private async confirming(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.confirm_subscription(request uuid) RETURNS boolean
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
          INSERT INTO events.subscriptions AS present (email, announcements, digest)
          VALUES (wish.email, cardinality(wish.topic_ids) > 0, wish.digest)
          ON CONFLICT (email) DO UPDATE SET changed_at = now(), digest = present.digest OR excluded.digest,
            announcements = present.announcements OR excluded.announcements
          RETURNING id
        )
        INSERT INTO events.subscription_topics (subscription_id, topic_id)
        SELECT subscription.id, topic.id FROM subscription, events.topics AS topic WHERE topic.id = ANY (wish.topic_ids)
        ON CONFLICT DO NOTHING;
        RETURN true;
      END $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.confirm_subscription FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.confirm_subscription TO meetmark_events');
  }

  private async joining(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.join_subscription() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('events.subscription ' || NEW.email, 0));
        INSERT INTO events.topic_follows (topic_id, user_id)
        SELECT topic.topic_id, NEW.id FROM events.subscriptions AS subscription
        JOIN events.subscription_topics AS topic ON topic.subscription_id = subscription.id
        WHERE subscription.email = NEW.email AND subscription.announcements ON CONFLICT DO NOTHING;
        DELETE FROM events.subscriptions WHERE email = NEW.email;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_join_subscription_insert AFTER INSERT ON auth.users
      FOR EACH ROW WHEN (NEW.email_verified_at IS NOT NULL) EXECUTE FUNCTION events.join_subscription()`);
    await runner.query(`
      CREATE TRIGGER users_join_subscription_update AFTER UPDATE OF email, email_verified_at ON auth.users
      FOR EACH ROW WHEN (NEW.email_verified_at IS NOT NULL
        AND (OLD.email_verified_at IS NULL OR OLD.email <> NEW.email)) EXECUTE FUNCTION events.join_subscription()`);
    await runner.query(`
      CREATE FUNCTION events.forget_subscription() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        IF OLD.email_verified_at IS NOT NULL THEN
          DELETE FROM events.subscriptions WHERE email = OLD.email;
          DELETE FROM events.subscription_requests WHERE email = OLD.email;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_forget_subscription AFTER DELETE ON auth.users
      FOR EACH ROW EXECUTE FUNCTION events.forget_subscription()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const trigger of ['join_subscription_insert', 'join_subscription_update', 'forget_subscription'])
      await runner.query(`DROP TRIGGER users_${trigger} ON auth.users`);
    for (const name of ['forget_subscription', 'join_subscription', 'confirm_subscription'])
      await runner.query(`DROP FUNCTION events.${name}`);
    await runner.query(
      'DROP TABLE events.subscription_topics, events.subscriptions, events.subscription_requests',
    );
  }
}
