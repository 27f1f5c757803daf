-- For who locks an event's row before a registration is inserted: what the triggers lock of the member then comes first.
CREATE OR REPLACE FUNCTION events.lock_member(member uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF EXISTS (SELECT FROM auth.users WHERE id = member AND email_verified_at IS NULL FOR KEY SHARE) THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('events.unverified ' || member, 0));
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION events.lock_member FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.lock_member TO meetmark_events;
