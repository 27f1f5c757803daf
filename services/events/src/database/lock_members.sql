-- Whoever names members locks them before the event, as the deletion of an account does: neither then waits for the other.
CREATE OR REPLACE FUNCTION events.lock_members(members uuid[]) RETURNS SETOF uuid
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  SELECT id FROM auth.users WHERE id = ANY (members) ORDER BY id FOR KEY SHARE
$$;
REVOKE EXECUTE ON FUNCTION events.lock_members FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.lock_members TO meetmark_events;
