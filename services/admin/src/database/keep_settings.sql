-- Keeps settings versions consecutive and unchangeable, for every role. Only admin.forget_user replaces authors.
CREATE OR REPLACE FUNCTION admin.keep_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    RAISE EXCEPTION 'admin.community_settings is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.version <> 1 + coalesce((SELECT max(version) FROM admin.community_settings), 0) THEN
    RAISE EXCEPTION 'version % does not follow', NEW.version
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'community_settings_pkey';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER community_settings_append_only BEFORE DELETE OR TRUNCATE ON admin.community_settings
FOR EACH STATEMENT EXECUTE FUNCTION admin.keep_settings();

CREATE OR REPLACE TRIGGER community_settings_only_forget BEFORE UPDATE ON admin.community_settings
FOR EACH ROW WHEN (ROW (NEW.version, NEW.settings, NEW.changes, NEW.changed_at)
    IS DISTINCT FROM ROW (OLD.version, OLD.settings, OLD.changes, OLD.changed_at)
  OR NEW.changed_by IS DISTINCT FROM OLD.changed_by AND NEW.changed_by IS DISTINCT FROM '{{FORMER_MEMBER}}')
EXECUTE FUNCTION admin.keep_settings();

CREATE OR REPLACE TRIGGER community_settings_follow BEFORE INSERT ON admin.community_settings
FOR EACH ROW EXECUTE FUNCTION admin.keep_settings();
