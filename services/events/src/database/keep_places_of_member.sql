-- A member whose address is verified keeps the places that would lapse.
CREATE OR REPLACE FUNCTION events.keep_places_of_member() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF OLD.email_verified_at IS NULL AND NEW.email_verified_at IS NOT NULL THEN
    UPDATE events.event_registrations SET unproved = false, lapses_at = NULL, taken_from = NULL
    WHERE user_id = NEW.id AND (unproved OR lapses_at IS NOT NULL);
  END IF;
  RETURN NULL;
END $$;

-- named after no column: auth may drop its own
CREATE OR REPLACE TRIGGER users_keep_places AFTER UPDATE ON auth.users
FOR EACH ROW EXECUTE FUNCTION events.keep_places_of_member();
