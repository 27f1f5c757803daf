-- Locks the events that refer to the account, in id order like all transactions, to prevent deadlocks.
CREATE OR REPLACE FUNCTION events.lock_events_of_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM FROM events.events WHERE created_by_id = OLD.id OR id IN (
    SELECT event_id FROM events.event_registrations WHERE user_id = OLD.id
    UNION SELECT event_id FROM events.event_people WHERE user_id = OLD.id
    UNION SELECT event_id FROM events.event_edits WHERE editor_id = OLD.id
    UNION SELECT event_id FROM events.door_links WHERE created_by_id = OLD.id
    UNION SELECT event_id FROM events.messages WHERE author_id = OLD.id)
  ORDER BY id FOR NO KEY UPDATE;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER users_lock_events BEFORE DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION events.lock_events_of_user();
