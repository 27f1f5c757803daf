-- Lets the worker delete one old account without a verified email address. Returns 0 if there is none.
CREATE OR REPLACE FUNCTION auth.delete_unconfirmed_account(days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  unconfirmed uuid;
BEGIN
  SELECT id INTO unconfirmed FROM auth.users AS account
  WHERE email_verified_at IS NULL AND created_at < now() - make_interval(days => greatest(days, 7))
    AND NOT is_admin AND NOT is_organiser
    AND NOT EXISTS (SELECT FROM gateway.sessions WHERE user_id = account.id AND expire > now())
    AND NOT EXISTS (SELECT FROM events.events WHERE created_by_id = account.id)
    AND NOT EXISTS (SELECT FROM events.event_people WHERE user_id = account.id)
    AND NOT EXISTS (
      SELECT FROM events.event_registrations AS registration JOIN events.events AS event ON event.id = registration.event_id
      WHERE registration.user_id = account.id AND registration.status <> 'cancelled' AND event.end_date > now())
  ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED;
  DELETE FROM auth.users WHERE id = unconfirmed;
  RETURN num_nonnulls(unconfirmed);
END $$;
REVOKE EXECUTE ON FUNCTION auth.delete_unconfirmed_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.delete_unconfirmed_account TO meetmark_worker;
