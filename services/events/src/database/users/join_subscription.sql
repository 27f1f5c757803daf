-- Moves the subscription of a verified email address to its account, which follows the topics.
CREATE OR REPLACE FUNCTION events.join_subscription() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('events.subscription ' || NEW.email, 0));
  -- lock order: the topics before the rows that refer to them
  PERFORM FROM events.topics WHERE id IN (
    SELECT topic.topic_id FROM events.subscriptions AS subscription
    JOIN events.subscription_topics AS topic ON topic.subscription_id = subscription.id WHERE subscription.email = NEW.email)
  ORDER BY id FOR KEY SHARE;
  INSERT INTO events.topic_follows (topic_id, user_id)
  SELECT topic.topic_id, NEW.id FROM events.subscriptions AS subscription
  JOIN events.subscription_topics AS topic ON topic.subscription_id = subscription.id
  WHERE subscription.email = NEW.email AND subscription.announcements ON CONFLICT DO NOTHING;
  DELETE FROM events.subscriptions WHERE email = NEW.email;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_join_subscription_insert AFTER INSERT ON auth.users
FOR EACH ROW WHEN (NEW.email_verified_at IS NOT NULL) EXECUTE FUNCTION events.join_subscription();

CREATE OR REPLACE TRIGGER users_join_subscription_update AFTER UPDATE OF email, email_verified_at ON auth.users
FOR EACH ROW WHEN (NEW.email_verified_at IS NOT NULL
  AND (OLD.email_verified_at IS NULL OR OLD.email <> NEW.email)) EXECUTE FUNCTION events.join_subscription();
