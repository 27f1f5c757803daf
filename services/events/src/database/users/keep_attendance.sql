-- Before an account is deleted, others take over its events. Past registrations stay as those of a former member,
-- who has neither an account nor a name. Foreign keys delete the other registrations.
CREATE OR REPLACE FUNCTION events.keep_attendance() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM events.lock_events_of_user(OLD.id);
  PERFORM events.hand_over_events(OLD.id);
  UPDATE events.event_registrations AS place
  SET user_id = NULL, show_me = 'no', guest_email = NULL, added_as = NULL, note = NULL, answers = NULL, network = NULL
  FROM events.events AS event
  WHERE place.user_id = OLD.id AND event.id = place.event_id AND place.status = 'registered'
    AND (event.end_date <= now() OR place.checked_in_at IS NOT NULL);
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER users_keep_attendance BEFORE DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION events.keep_attendance();
