-- Each change of what a form edits is remembered, under the names that the API has.
CREATE OR REPLACE FUNCTION events.keep_event_edit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  changed text[] := array_remove(ARRAY[
    CASE WHEN ROW (OLD.title) IS DISTINCT FROM ROW (NEW.title) THEN 'title' END,
    CASE WHEN ROW (OLD.description) IS DISTINCT FROM ROW (NEW.description) THEN 'description' END,
    CASE WHEN ROW (OLD.start_date) IS DISTINCT FROM ROW (NEW.start_date) THEN 'startDate' END,
    CASE WHEN ROW (OLD.end_date) IS DISTINCT FROM ROW (NEW.end_date) THEN 'endDate' END,
    CASE WHEN ROW (OLD.location) IS DISTINCT FROM ROW (NEW.location) THEN 'location' END,
    CASE WHEN ROW (OLD.format) IS DISTINCT FROM ROW (NEW.format) THEN 'format' END,
    CASE WHEN ROW (OLD.is_all_day) IS DISTINCT FROM ROW (NEW.is_all_day) THEN 'isAllDay' END,
    CASE WHEN ROW (OLD.banner_hash) IS DISTINCT FROM ROW (NEW.banner_hash) THEN 'bannerImageUrl' END,
    CASE WHEN ROW (OLD.price) IS DISTINCT FROM ROW (NEW.price) THEN 'price' END,
    CASE WHEN ROW (OLD.capacity) IS DISTINCT FROM ROW (NEW.capacity) THEN 'capacity' END,
    CASE WHEN ROW (OLD.waitlist_enabled) IS DISTINCT FROM ROW (NEW.waitlist_enabled) THEN 'waitlistEnabled' END,
    CASE WHEN ROW (OLD.registration_opens_at) IS DISTINCT FROM ROW (NEW.registration_opens_at) THEN 'registrationOpensAt' END,
    CASE WHEN ROW (OLD.registration_closes_at) IS DISTINCT FROM ROW (NEW.registration_closes_at) THEN 'registrationClosesAt' END,
    CASE WHEN ROW (OLD.visibility) IS DISTINCT FROM ROW (NEW.visibility) THEN 'visibility' END,
    CASE WHEN ROW (OLD.status) IS DISTINCT FROM ROW (NEW.status) THEN 'status' END,
    CASE WHEN ROW (OLD.publish_at) IS DISTINCT FROM ROW (NEW.publish_at) THEN 'publishAt' END,
    CASE WHEN ROW (OLD.description_format) IS DISTINCT FROM ROW (NEW.description_format) THEN 'descriptionFormat' END,
    CASE WHEN ROW (OLD.payment_note) IS DISTINCT FROM ROW (NEW.payment_note) THEN 'paymentNote' END
  ], NULL);
BEGIN
  PERFORM events.keep_edit(NEW.id, NEW.version, changed);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_keep_edit AFTER UPDATE OF
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
EXECUTE FUNCTION events.keep_event_edit();
