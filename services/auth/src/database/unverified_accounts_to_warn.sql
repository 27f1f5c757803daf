-- The accounts without a verified address that auth.remove_unverified_accounts is to remove in a week, those unused for longest first.
-- In PL/pgSQL, which looks for the tables of events when it runs: they are made after this.
CREATE OR REPLACE FUNCTION auth.unverified_accounts_to_warn(at_most integer) RETURNS TABLE (id uuid, email text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  RETURN QUERY SELECT u.id, u.email FROM auth.unverified_accounts account JOIN auth.users u ON u.id = account.user_id
  WHERE account.signed_in_at < now() - interval '23 days'
    AND u.email_verified_at IS NULL AND NOT u.is_admin
    AND NOT EXISTS (SELECT FROM events.event_registrations WHERE user_id = u.id)
    AND NOT EXISTS (SELECT FROM events.events WHERE created_by_id = u.id)
    AND account.warned_at IS NULL
  ORDER BY account.signed_in_at LIMIT at_most;
END $$;
REVOKE EXECUTE ON FUNCTION auth.unverified_accounts_to_warn FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.unverified_accounts_to_warn TO meetmark_worker;
