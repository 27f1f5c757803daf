-- Keeps an administrator with an open account; a separate statement checks after the lock, to see what others committed.
CREATE OR REPLACE FUNCTION auth.keep_an_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM auth.lock_administrators();
  IF NOT EXISTS (SELECT FROM auth.users WHERE is_admin AND closed_at IS NULL AND id <> OLD.id) THEN
    RAISE EXCEPTION 'at least one administrator must remain'
      USING ERRCODE = 'check_violation', SCHEMA = 'auth', TABLE = 'users', CONSTRAINT = 'users_last_administrator';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE OR REPLACE TRIGGER users_keep_an_administrator_on_delete BEFORE DELETE ON auth.users
FOR EACH ROW WHEN (OLD.is_admin AND OLD.closed_at IS NULL) EXECUTE FUNCTION auth.keep_an_administrator();

CREATE OR REPLACE TRIGGER users_keep_an_administrator_on_update BEFORE UPDATE ON auth.users
FOR EACH ROW WHEN (OLD.is_admin AND OLD.closed_at IS NULL AND NOT (NEW.is_admin AND NEW.closed_at IS NULL))
EXECUTE FUNCTION auth.keep_an_administrator();
