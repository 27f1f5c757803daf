-- Records how and when a registration ended; it then no longer counts for its network.
CREATE OR REPLACE FUNCTION events.note_ending() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF NEW.status <> 'cancelled' THEN
    NEW.ended_as := NULL;
    NEW.ended_at := NULL;
  ELSIF OLD.status <> 'cancelled' THEN
    NEW.ended_as := coalesce(NEW.ended_as, 'cancelled');
    NEW.ended_at := now();
    NEW.network := NULL;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER event_registrations_note_ending BEFORE UPDATE OF status ON events.event_registrations
FOR EACH ROW EXECUTE FUNCTION events.note_ending();
