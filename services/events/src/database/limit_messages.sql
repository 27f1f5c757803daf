-- Any four messages of an event are a day apart. Counted in a statement of its own after the event is locked: its snapshot then shows
-- what others have committed.
CREATE OR REPLACE FUNCTION events.limit_messages() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  PERFORM FROM events.events WHERE id = NEW.event_id FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM (
      SELECT send_at, lead(send_at, 3) OVER (ORDER BY send_at) AS fourth FROM events.messages
      WHERE event_id = NEW.event_id AND state IN ('scheduled', 'sending', 'sent')
        AND send_at > NEW.send_at - interval '1 day' AND send_at < NEW.send_at + interval '1 day'
    ) AS near WHERE fourth < send_at + interval '1 day')
  THEN
    RAISE EXCEPTION 'more than three messages of an event within a day'
      USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'messages', CONSTRAINT = 'messages_daily_check';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER messages_limit_insert AFTER INSERT ON events.messages
FOR EACH ROW WHEN (NEW.state <> 'draft') EXECUTE FUNCTION events.limit_messages();

CREATE OR REPLACE TRIGGER messages_limit_update AFTER UPDATE OF send_at ON events.messages
FOR EACH ROW WHEN (NEW.state <> 'draft' AND NEW.send_at IS DISTINCT FROM OLD.send_at)
EXECUTE FUNCTION events.limit_messages();
