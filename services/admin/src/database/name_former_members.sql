-- Entries are written after the action, so the account may be deleted by then. Waits for a deletion in progress.
CREATE OR REPLACE FUNCTION admin.name_former_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  present uuid[] := ARRAY(SELECT id FROM auth.users WHERE id IN (NEW.actor_id, NEW.subject_id) ORDER BY id FOR KEY SHARE);
BEGIN
  IF NEW.actor_id <> '{{VISITOR}}' AND NEW.actor_id <> ALL (present) THEN
    NEW.actor_id := '{{FORMER_MEMBER}}';
  END IF;
  IF NEW.action !~ '^(event|message|topic)[.]' AND NEW.subject_id <> ALL (present) THEN
    NEW.subject_id := '{{FORMER_MEMBER}}';
    NEW.changed_values := NEW.changed_values - 'email';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER audit_log_former_members BEFORE INSERT ON admin.audit_log
FOR EACH ROW EXECUTE FUNCTION admin.name_former_members();
