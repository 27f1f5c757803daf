-- Locks member, event and registrations in this order. The guest list keeps showing what the organiser typed,
-- so as not to reveal accounts.
CREATE OR REPLACE FUNCTION events.take_over_guest(joined_event uuid, member uuid, shown text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  address text;
  place uuid;
  revision integer;
BEGIN
  SELECT lower(email) INTO address FROM auth.users
  WHERE id = member AND email_verified_at IS NOT NULL AND closed_at IS NULL FOR KEY SHARE;
  PERFORM FROM events.events WHERE id = joined_event FOR NO KEY UPDATE;
  SELECT id INTO place FROM events.event_registrations
  WHERE event_id = joined_event AND lower(guest_email) = address AND user_id IS NULL AND status = 'registered' FOR UPDATE;
  IF place IS NULL OR EXISTS (
    SELECT FROM events.event_registrations
    WHERE event_id = joined_event AND user_id = member AND status <> 'cancelled') THEN
    RETURN NULL;
  END IF;
  DELETE FROM events.event_registrations WHERE event_id = joined_event AND user_id = member
  RETURNING entry_revision INTO revision;
  UPDATE events.event_registrations
  SET user_id = member, added_as = guest_name, guest_name = NULL,
    show_me = coalesce(shown, (SELECT show_me FROM auth.users WHERE id = member)),
    entry_revision = greatest(entry_revision, coalesce(revision + 1, 0))
  WHERE id = place;
  RETURN place;
END $$;
REVOKE EXECUTE ON FUNCTION events.take_over_guest FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.take_over_guest TO meetmark_events;
