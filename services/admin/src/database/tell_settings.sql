-- Notifies every process of a new settings version when the transaction commits.
CREATE OR REPLACE FUNCTION admin.tell_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('settings', NEW.version::text);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER community_settings_tell AFTER INSERT ON admin.community_settings
FOR EACH ROW EXECUTE FUNCTION admin.tell_settings();
