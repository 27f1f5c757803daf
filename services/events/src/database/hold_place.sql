-- Enters what a place is when it is taken: that of a member whose address is not verified, at an event with a capacity, is `unproved`.
-- It lapses unless the address is verified or the member is checked in before. It is refused to who lost one here, and to a network that
-- holds enough (`taken_from`, a keyed hash made for this event alone); the figure is a setting of the connection, so that tests can
-- widen it. A place that is given up keeps its moment: taken again, it gets no other.
--
-- Like everybody this locks the member first, then the event's row, then the registration; only an insert locks, because an update has
-- locked the registration already. Who wins against an insert's lock of the member is settled: the address is either seen as verified,
-- or its verification sees the place.
CREATE OR REPLACE FUNCTION events.hold_place() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  at_most integer := coalesce(nullif(current_setting('meetmark.unproved_places', true), '')::integer, 2);
  begins boolean := TG_OP = 'INSERT' OR OLD.status = 'cancelled';
  event record;
  lapse timestamptz;
BEGIN
  IF NEW.status = 'cancelled' THEN
    NEW.unproved := false;
    NEW.taken_from := NULL;
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NULL FOR SHARE;
    NEW.unproved := FOUND;
  ELSIF begins THEN
    NEW.unproved := EXISTS (SELECT FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NULL);
    -- an organiser who gives the place back clears ended_as
    IF NEW.unproved AND NEW.ended_as IS NOT NULL AND (NEW.ended_as = 'lapsed' OR OLD.lapses_at <= now()) THEN
      RAISE EXCEPTION 'a member whose address is not verified has lost a place at event %', NEW.event_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'event_registrations_address_check';
    END IF;
  END IF;
  IF NEW.unproved THEN
    IF TG_OP = 'INSERT' THEN
      PERFORM FROM events.events WHERE id = NEW.event_id FOR NO KEY UPDATE;
    END IF;
    SELECT capacity, start_date INTO event FROM events.events WHERE id = NEW.event_id;
    NEW.unproved := event.capacity IS NOT NULL;
  END IF;
  IF NOT NEW.unproved THEN
    NEW.lapses_at := NULL;
    NEW.taken_from := NULL;
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' AND EXISTS (
    SELECT FROM events.event_registrations WHERE event_id = NEW.event_id AND user_id = NEW.user_id) THEN
    RETURN NEW; -- what is there already is updated, or stays
  END IF;
  IF begins AND NEW.taken_from IS NOT NULL AND (
    SELECT count(*) FROM events.event_registrations
    WHERE event_id = NEW.event_id AND unproved AND taken_from = NEW.taken_from) >= at_most THEN
    RAISE EXCEPTION 'one network holds enough unproved places of event %', NEW.event_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'event_registrations_network_check';
  END IF;
  IF NEW.status = 'waitlisted' THEN
    NEW.lapses_at := NULL;
  ELSIF begins OR OLD.status = 'waitlisted' THEN
    lapse := events.lapse_of(NEW.registered_at, event.start_date);
    IF TG_OP = 'UPDATE' AND lapse IS NOT NULL AND NEW.ended_as IS NOT NULL AND OLD.lapses_at IS NOT NULL THEN
      lapse := least(lapse, greatest(OLD.lapses_at, NEW.registered_at + interval '1 hour'));
    END IF;
    NEW.lapses_at := lapse;
  END IF;
  RETURN NEW;
END $$;

-- before event_registrations_note_ending, by name: how the last one ended is still there
CREATE OR REPLACE TRIGGER event_registrations_hold_place BEFORE INSERT OR UPDATE OF status ON events.event_registrations
FOR EACH ROW EXECUTE FUNCTION events.hold_place();
