-- Ten phones at one door are many: so are twenty links that work. Counted in a statement of its own after the lock: its snapshot then
-- shows what others have committed.
CREATE OR REPLACE FUNCTION events.limit_door_links() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('events.door_links ' || NEW.event_id, 0));
  IF (SELECT count(*) FROM events.door_links WHERE event_id = NEW.event_id AND revoked_at IS NULL) >= 20 THEN
    RAISE EXCEPTION 'twenty door links of the event work'
      USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'door_links', CONSTRAINT = 'door_links_limit';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER door_links_limit BEFORE INSERT ON events.door_links
FOR EACH ROW EXECUTE FUNCTION events.limit_door_links();
