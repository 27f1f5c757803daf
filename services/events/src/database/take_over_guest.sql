-- Gives the place of a guest to the member whose verified address it was added with, and returns its registration. The member is locked
-- first, as the deletion of an account does. A registration that the member gave up earlier makes room for it. The guest list goes on
-- showing what the organiser typed (added_as, guest_email), so that it does not tell who has an account.
CREATE OR REPLACE FUNCTION events.take_over_guest(joined_event uuid, member uuid, shown text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  address text;
  place uuid;
  revision integer;
BEGIN
  SELECT lower(email) INTO address FROM auth.users
  WHERE id = member AND email_verified_at IS NOT NULL FOR KEY SHARE;
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
