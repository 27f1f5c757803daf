-- Refuses a closed account like a deleted one; the lock makes a concurrent closing wait for the registration.
CREATE OR REPLACE FUNCTION events.refuse_closed_member() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM FROM auth.users WHERE id = NEW.user_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the account is closed'
      USING ERRCODE = 'foreign_key_violation', SCHEMA = 'events', TABLE = 'event_registrations',
        CONSTRAINT = 'event_registrations_user_id_fkey';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER event_registrations_open_member BEFORE INSERT ON events.event_registrations
FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION events.refuse_closed_member();
