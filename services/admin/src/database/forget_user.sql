-- Replaces the id of a deleted account, so that entries and settings no longer identify anyone.
CREATE OR REPLACE FUNCTION admin.forget_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  UPDATE admin.audit_log SET actor_id = '{{FORMER_MEMBER}}' WHERE actor_id = OLD.id;
  UPDATE admin.audit_log SET subject_id = '{{FORMER_MEMBER}}', changed_values = changed_values - 'email' WHERE subject_id = OLD.id;
  UPDATE admin.community_settings SET changed_by = '{{FORMER_MEMBER}}' WHERE changed_by = OLD.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_forget_in_admin AFTER DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION admin.forget_user();
