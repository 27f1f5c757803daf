-- Deletes an unshown image, but skips one that someone concurrently uses, because waiting could deadlock.
CREATE OR REPLACE FUNCTION auth.drop_unshown_picture() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  DELETE FROM auth.pictures WHERE hash IN (
    SELECT hash FROM auth.pictures AS picture WHERE hash = OLD.profile_picture_hash
      AND NOT EXISTS (SELECT FROM auth.users WHERE profile_picture_hash = picture.hash)
    FOR UPDATE SKIP LOCKED);
  RETURN NULL;
EXCEPTION WHEN foreign_key_violation THEN
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_drop_picture_on_delete AFTER DELETE ON auth.users
FOR EACH ROW WHEN (OLD.profile_picture_hash IS NOT NULL) EXECUTE FUNCTION auth.drop_unshown_picture();

CREATE OR REPLACE TRIGGER users_drop_picture_on_update AFTER UPDATE OF profile_picture_hash ON auth.users
FOR EACH ROW WHEN (OLD.profile_picture_hash IS DISTINCT FROM NEW.profile_picture_hash)
EXECUTE FUNCTION auth.drop_unshown_picture();
