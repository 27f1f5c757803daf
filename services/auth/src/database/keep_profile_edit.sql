-- Records edits for conflict errors; the author is 'meetmark.editor', or else the user whose row changes.
CREATE OR REPLACE FUNCTION auth.keep_profile_edit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  INSERT INTO auth.profile_edits (user_id, version, editor_id, changed)
  VALUES (NEW.id, NEW.profile_version,
    coalesce(nullif(current_setting('meetmark.editor', true), '')::uuid, NEW.id),
    array_remove(ARRAY[
      CASE WHEN OLD.email IS DISTINCT FROM NEW.email THEN 'email' END,
      CASE WHEN OLD.first_name IS DISTINCT FROM NEW.first_name THEN 'firstName' END,
      CASE WHEN OLD.last_name IS DISTINCT FROM NEW.last_name THEN 'lastName' END,
      CASE WHEN OLD.description IS DISTINCT FROM NEW.description THEN 'description' END,
      CASE WHEN OLD.linked_in_url IS DISTINCT FROM NEW.linked_in_url THEN 'linkedInUrl' END,
      CASE WHEN OLD.profile_picture_hash IS DISTINCT FROM NEW.profile_picture_hash THEN 'profileImageUrl' END,
      CASE WHEN OLD.is_admin IS DISTINCT FROM NEW.is_admin THEN 'isAdmin' END,
      CASE WHEN OLD.show_me IS DISTINCT FROM NEW.show_me THEN 'showMe' END,
      CASE WHEN OLD.is_organiser IS DISTINCT FROM NEW.is_organiser THEN 'role' END
    ], NULL));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_keep_edit AFTER UPDATE ON auth.users
FOR EACH ROW WHEN (
  ROW (OLD.email, OLD.first_name, OLD.last_name, OLD.description, OLD.linked_in_url, OLD.profile_picture_hash, OLD.is_admin,
    OLD.show_me, OLD.is_organiser)
  IS DISTINCT FROM
  ROW (NEW.email, NEW.first_name, NEW.last_name, NEW.description, NEW.linked_in_url, NEW.profile_picture_hash, NEW.is_admin,
    NEW.show_me, NEW.is_organiser))
EXECUTE FUNCTION auth.keep_profile_edit();
