-- Deletes one account that was closed a week ago. Returns false if none is left. One account at a time, so
-- that the worker holds locks only briefly.
CREATE OR REPLACE FUNCTION auth.delete_closed_account() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM auth.lock_administrators();
  DELETE FROM auth.users WHERE id = (
    SELECT id FROM auth.users WHERE closed_at <= now() - interval '{{closedFor}}'
    ORDER BY closed_at LIMIT 1 FOR UPDATE SKIP LOCKED);
  RETURN FOUND;
END $$;
REVOKE EXECUTE ON FUNCTION auth.delete_closed_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.delete_closed_account TO meetmark_worker;
