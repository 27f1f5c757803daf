-- Keeps users.second_factor in sync, limits factors to ten, and deletes recovery codes with the last one.
CREATE OR REPLACE FUNCTION auth.note_second_factor() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
  factors integer;
BEGIN
  PERFORM FROM auth.users WHERE id = owner FOR NO KEY UPDATE;
  SELECT count(*) INTO factors FROM auth.second_factors WHERE user_id = owner;
  IF factors > 10 THEN
    RAISE EXCEPTION 'too many second factors'
      USING ERRCODE = 'check_violation', SCHEMA = 'auth', TABLE = 'second_factors',
            CONSTRAINT = 'second_factors_limit';
  END IF;
  UPDATE auth.users SET second_factor = factors > 0 WHERE id = owner AND second_factor <> (factors > 0);
  IF factors = 0 THEN
    DELETE FROM auth.recovery_codes WHERE user_id = owner;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER second_factors_note AFTER INSERT OR DELETE ON auth.second_factors
FOR EACH ROW EXECUTE FUNCTION auth.note_second_factor();
