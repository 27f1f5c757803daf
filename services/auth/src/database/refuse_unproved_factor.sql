-- Requires a verified email address, because a stranger could lock the address's owner out.
CREATE OR REPLACE FUNCTION auth.refuse_unproved_factor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NOT NULL FOR NO KEY UPDATE;
  IF NOT FOUND AND EXISTS (SELECT FROM auth.users WHERE id = NEW.user_id) THEN
    RAISE EXCEPTION 'a second factor before the address is verified'
      USING ERRCODE = 'check_violation', SCHEMA = 'auth', TABLE = 'second_factors',
            CONSTRAINT = 'second_factors_verified';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER second_factors_verified BEFORE INSERT ON auth.second_factors
FOR EACH ROW EXECUTE FUNCTION auth.refuse_unproved_factor();
