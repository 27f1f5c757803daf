-- Who was checked in keeps the place.
CREATE OR REPLACE FUNCTION events.keep_place_of_arrived() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  NEW.unproved := false;
  NEW.lapses_at := NULL;
  NEW.taken_from := NULL;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER event_registrations_keep_place BEFORE UPDATE OF checked_in_at ON events.event_registrations
FOR EACH ROW WHEN (NEW.unproved AND NEW.checked_in_at IS NOT NULL)
EXECUTE FUNCTION events.keep_place_of_arrived();
