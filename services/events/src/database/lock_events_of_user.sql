-- The cascade of a deleted account changes waiting rows, and its events are handed over: like everybody it locks the events first, in the
-- order of their ids. The account is locked by then, so no event of it is under way.
CREATE OR REPLACE FUNCTION events.lock_events_of_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM FROM events.events WHERE created_by_id = OLD.id OR id IN (
    SELECT event_id FROM events.event_registrations WHERE user_id = OLD.id AND status <> 'cancelled')
  ORDER BY id FOR NO KEY UPDATE;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER users_lock_events BEFORE DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION events.lock_events_of_user();
