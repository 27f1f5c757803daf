-- Removes accounts without a verified address that were not used for 30 days and hold nothing, a week after the mail that warned of it,
-- and returns how many. The worker may do this and no more: it cannot delete any other account.
CREATE OR REPLACE FUNCTION auth.remove_unverified_accounts(at_most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  removed integer;
BEGIN
  DELETE FROM auth.users WHERE users.id IN (
    SELECT u.id FROM auth.unverified_accounts account JOIN auth.users u ON u.id = account.user_id
    WHERE account.signed_in_at < now() - interval '30 days'
      AND u.email_verified_at IS NULL AND NOT u.is_admin
      AND NOT EXISTS (SELECT FROM events.event_registrations WHERE user_id = u.id)
      AND NOT EXISTS (SELECT FROM events.events WHERE created_by_id = u.id)
      AND account.warned_at < now() - interval '7 days'
    LIMIT at_most FOR UPDATE OF u SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;
REVOKE EXECUTE ON FUNCTION auth.remove_unverified_accounts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.remove_unverified_accounts TO meetmark_worker;
