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
CREATE OR REPLACE TRIGGER events_raise_version BEFORE UPDATE OF
  title, description, start_date, end_date, location, format, is_all_day, banner_hash, price, capacity, waitlist_enabled,
  registration_opens_at, registration_closes_at, visibility, status, publish_at, description_format, payment_note
ON events.events FOR EACH ROW WHEN (
  ROW (OLD.title, OLD.description, OLD.start_date, OLD.end_date, OLD.location, OLD.format, OLD.is_all_day, OLD.banner_hash, OLD.price,
    OLD.capacity, OLD.waitlist_enabled, OLD.registration_opens_at, OLD.registration_closes_at, OLD.visibility, OLD.status,
    OLD.publish_at, OLD.description_format, OLD.payment_note)
  IS DISTINCT FROM
  ROW (NEW.title, NEW.description, NEW.start_date, NEW.end_date, NEW.location, NEW.format, NEW.is_all_day, NEW.banner_hash, NEW.price,
    NEW.capacity, NEW.waitlist_enabled, NEW.registration_opens_at, NEW.registration_closes_at, NEW.visibility, NEW.status,
    NEW.publish_at, NEW.description_format, NEW.payment_note))
EXECUTE FUNCTION events.raise_event_version();
