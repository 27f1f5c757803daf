-- Records changed fields of an event under their API names.
CREATE OR REPLACE FUNCTION events.keep_event_edit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  changed text[] := array_remove(ARRAY[
    {{changedOfEvent}},
    CASE WHEN ROW (OLD.status) IS DISTINCT FROM ROW (NEW.status) THEN 'status' END
  ], NULL);
BEGIN
  PERFORM events.keep_edit(NEW.id, NEW.version, changed);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_keep_edit AFTER UPDATE OF {{eventColumns}}, status
ON events.events FOR EACH ROW WHEN (ROW ({{oldEvent}}, OLD.status) IS DISTINCT FROM ROW ({{newEvent}}, NEW.status))
EXECUTE FUNCTION events.keep_event_edit();
