-- Subscribes, or lets an existing account follow; false if the request is missing or older than seven days.
CREATE OR REPLACE FUNCTION events.confirm_subscription(request uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  wish events.subscription_requests;
  account uuid;
BEGIN
  SELECT * INTO wish FROM events.subscription_requests WHERE id = request;
  -- lock order: the account before the request, and the topics before the rows that refer to them
  PERFORM FROM auth.users WHERE email = wish.email AND email_verified_at IS NOT NULL FOR KEY SHARE;
  -- a concurrently created account waits for this lock, and then takes the subscription over
  PERFORM pg_advisory_xact_lock(hashtextextended('events.subscription ' || wish.email, 0));
  SELECT id INTO account FROM auth.users WHERE email = wish.email AND email_verified_at IS NOT NULL FOR KEY SHARE;
  PERFORM FROM events.topics WHERE id = ANY (wish.topic_ids) ORDER BY id FOR KEY SHARE;
  SELECT * INTO wish FROM events.subscription_requests
  WHERE id = request AND requested_at > now() - interval '7 days' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF wish.confirmed_at IS NOT NULL THEN
    RETURN true;
  END IF;
  UPDATE events.subscription_requests SET confirmed_at = now() WHERE id = request;
  IF account IS NOT NULL THEN
    INSERT INTO events.topic_follows (topic_id, user_id)
    SELECT id, account FROM events.topics WHERE id = ANY (wish.topic_ids) ON CONFLICT DO NOTHING;
    RETURN true;
  END IF;
  WITH subscription AS (
    INSERT INTO events.subscriptions AS present (email, announcements, digest, locale)
    VALUES (wish.email, cardinality(wish.topic_ids) > 0, wish.digest, wish.locale)
    ON CONFLICT (email) DO UPDATE SET changed_at = now(), digest = present.digest OR excluded.digest,
      announcements = present.announcements OR excluded.announcements, locale = excluded.locale
    RETURNING id
  )
  INSERT INTO events.subscription_topics (subscription_id, topic_id)
  SELECT subscription.id, topic.id FROM subscription, events.topics AS topic WHERE topic.id = ANY (wish.topic_ids)
  ON CONFLICT DO NOTHING;
  RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION events.confirm_subscription FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.confirm_subscription TO meetmark_events;
