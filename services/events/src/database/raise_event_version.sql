-- The version of an event is raised by every change of what a form edits, by any writer, once in a transaction ('meetmark.raised'). A
-- registration changes no version.
CREATE OR REPLACE FUNCTION events.raise_event_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('meetmark.raised', true) IS DISTINCT FROM OLD.id::text THEN
    NEW.version := OLD.version + 1;
    PERFORM set_config('meetmark.raised', OLD.id::text, true);
  END IF;
  RETURN NEW;
END $$;

-- named columns: a registration, which updates the count, does not even come to the comparison
CREATE OR REPLACE TRIGGER events_raise_version BEFORE UPDATE OF {{eventColumns}}, status
ON events.events FOR EACH ROW WHEN (ROW ({{oldEvent}}, OLD.status) IS DISTINCT FROM ROW ({{newEvent}}, NEW.status))
EXECUTE FUNCTION events.raise_event_version();
