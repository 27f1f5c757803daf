-- An event that has a place for everybody keeps the places that would lapse; a new start moves their moment.
CREATE OR REPLACE FUNCTION events.follow_lapses() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF NEW.capacity IS NULL THEN
    UPDATE events.event_registrations SET unproved = false, lapses_at = NULL, taken_from = NULL
    WHERE event_id = NEW.id AND unproved;
  ELSE
    UPDATE events.event_registrations SET lapses_at = events.lapse_of(registered_at, NEW.start_date)
    WHERE event_id = NEW.id AND unproved AND status = 'registered';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_follow_lapses AFTER UPDATE OF capacity, start_date ON events.events
FOR EACH ROW WHEN (OLD.start_date <> NEW.start_date OR (OLD.capacity IS NOT NULL AND NEW.capacity IS NULL))
EXECUTE FUNCTION events.follow_lapses();
