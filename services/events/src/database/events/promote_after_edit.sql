-- Skips the event in 'meetmark.place_kept', whose additional registration is meant for a certain person.
CREATE OR REPLACE FUNCTION events.promote_after_edit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF current_setting('meetmark.place_kept', true) IS DISTINCT FROM NEW.id::text THEN
    PERFORM events.promote_waiting(NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_promote_waiting
AFTER UPDATE OF capacity, start_date, registration_closes_at, status ON events.events
FOR EACH ROW WHEN (NEW.waiting_count > 0) EXECUTE FUNCTION events.promote_after_edit();
