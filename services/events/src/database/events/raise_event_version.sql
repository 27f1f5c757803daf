-- Raises an event's version once per transaction if the columns of an event's form change.
CREATE OR REPLACE FUNCTION events.raise_event_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('meetmark.raised', true) IS DISTINCT FROM OLD.id::text THEN
    NEW.version := OLD.version + 1;
    PERFORM set_config('meetmark.raised', OLD.id::text, true);
  END IF;
  RETURN NEW;
END $$;

-- names the columns, so that registrations, which update the counts, don't run the trigger
CREATE OR REPLACE TRIGGER events_raise_version BEFORE UPDATE OF {{eventColumns}}, status
ON events.events FOR EACH ROW WHEN (ROW ({{oldEvent}}, OLD.status) IS DISTINCT FROM ROW ({{newEvent}}, NEW.status))
EXECUTE FUNCTION events.raise_event_version();
