CREATE OR REPLACE FUNCTION auth.raise_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  NEW.updated_at := now();
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER users_raise_version BEFORE UPDATE ON auth.users
FOR EACH ROW EXECUTE FUNCTION auth.raise_version();
