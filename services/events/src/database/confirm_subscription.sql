-- Makes a wish for announcements or the digest, whose address was proved with this, a subscription; false where the wish is gone or a
-- week old. Whoever has the account of an address follows the topics with it; its digest is a setting of the account.
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
