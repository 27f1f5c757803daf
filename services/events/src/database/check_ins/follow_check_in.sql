-- Sets the check-in time to the earliest one that wasn't undone; the service has no right to write it.
CREATE OR REPLACE FUNCTION events.follow_check_in() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE events.event_registrations SET (checked_in_at, checked_in_by) = (
    SELECT at, CASE WHEN link_id IS NOT NULL THEN 'door' WHEN by_organiser THEN 'organiser' ELSE 'self' END FROM events.check_ins
    WHERE registration_id = NEW.registration_id AND undone_at IS NULL ORDER BY at, key LIMIT 1)
  WHERE id = NEW.registration_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER check_ins_follow AFTER INSERT OR UPDATE OF undone_at ON events.check_ins
FOR EACH ROW EXECUTE FUNCTION events.follow_check_in();
