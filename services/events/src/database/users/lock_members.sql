-- Locks members with an open account before the caller locks the event, as an account's deletion does, to prevent deadlocks.
CREATE OR REPLACE FUNCTION events.lock_members(members uuid[]) RETURNS SETOF uuid
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  SELECT id FROM auth.users WHERE id = ANY (members) AND closed_at IS NULL ORDER BY id FOR KEY SHARE
$$;
REVOKE EXECUTE ON FUNCTION events.lock_members FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.lock_members TO meetmark_events;
