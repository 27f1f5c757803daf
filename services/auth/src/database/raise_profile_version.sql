-- Raises the version when a profile or account field changes, and ignores one set by the service.
CREATE OR REPLACE FUNCTION auth.raise_profile_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.profile_version := OLD.profile_version + CASE WHEN
    ROW (OLD.email, OLD.first_name, OLD.last_name, OLD.description, OLD.linked_in_url, OLD.profile_picture_hash, OLD.is_admin,
      OLD.show_me, OLD.is_organiser)
    IS DISTINCT FROM
    ROW (NEW.email, NEW.first_name, NEW.last_name, NEW.description, NEW.linked_in_url, NEW.profile_picture_hash, NEW.is_admin,
      NEW.show_me, NEW.is_organiser)
    THEN 1 ELSE 0 END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER users_raise_profile_version BEFORE UPDATE ON auth.users
FOR EACH ROW EXECUTE FUNCTION auth.raise_profile_version();
