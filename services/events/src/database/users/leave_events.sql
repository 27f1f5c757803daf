-- A member who closes their account leaves all events: others take over their events, and their places become
-- free. Someone who has already come still counts.
CREATE OR REPLACE FUNCTION events.leave_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM events.lock_events_of_user(OLD.id);
  PERFORM events.hand_over_events(OLD.id);
  DELETE FROM events.event_people WHERE user_id = OLD.id;
  DELETE FROM events.event_registrations AS place USING events.events AS event
  WHERE place.user_id = OLD.id AND event.id = place.event_id AND event.end_date > now() AND place.checked_in_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_leave_events AFTER UPDATE OF closed_at ON auth.users
FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION events.leave_events();
