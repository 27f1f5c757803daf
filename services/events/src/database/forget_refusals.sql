-- With an account goes what a phone at the door has typed beside its address once the link had ended.
CREATE OR REPLACE FUNCTION events.forget_refusals() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  -- of an address that nobody has proved the account may be a stranger's
  IF OLD.email_verified_at IS NOT NULL THEN
    DELETE FROM events.door_refusals WHERE lower(guest_email) = lower(OLD.email);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_forget_refusals AFTER DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION events.forget_refusals();
