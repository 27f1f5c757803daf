CREATE OR REPLACE FUNCTION events.refuse_reserved_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the address % is reserved', NEW.slug
    USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'slugs', CONSTRAINT = 'slugs_reserved_check';
END $$;

CREATE OR REPLACE TRIGGER slugs_refuse_reserved BEFORE INSERT ON events.slugs
FOR EACH ROW WHEN (events.is_reserved_slug(NEW.slug)) EXECUTE FUNCTION events.refuse_reserved_slug();
