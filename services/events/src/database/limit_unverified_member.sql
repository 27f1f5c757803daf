-- A member whose address is not verified holds few places: signing up with addresses of others cannot empty the seats. A place that is
-- waited for counts like a place, so that a promotion never fails on it. The figure is a setting of the connection, so that tests can
-- widen it; without it the product's own holds. Counted in a statement of its own after the lock: its snapshot then shows what the
-- others have committed.
CREATE OR REPLACE FUNCTION events.limit_unverified_member() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  at_most integer := coalesce(nullif(current_setting('meetmark.unverified_places', true), '')::integer, 5);
BEGIN
  IF EXISTS (SELECT FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NULL) THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('events.unverified ' || NEW.user_id, 0));
    IF (SELECT count(*) FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
        WHERE r.user_id = NEW.user_id AND r.status IN ('registered', 'waitlisted') AND e.start_date > now()) > at_most THEN
      RAISE EXCEPTION 'too many places of a member whose address is not verified'
        USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'event_registrations',
          CONSTRAINT = 'event_registrations_unverified_check';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_registrations_unverified_insert AFTER INSERT ON events.event_registrations
FOR EACH ROW WHEN (NEW.status IN ('registered', 'waitlisted')) EXECUTE FUNCTION events.limit_unverified_member();

CREATE OR REPLACE TRIGGER event_registrations_unverified_update AFTER UPDATE OF status ON events.event_registrations
FOR EACH ROW WHEN (NEW.status IN ('registered', 'waitlisted') AND NOT OLD.status IN ('registered', 'waitlisted'))
EXECUTE FUNCTION events.limit_unverified_member();
