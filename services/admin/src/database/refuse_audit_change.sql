-- Keeps the audit log append-only for every role; after 30 days, entries can be deleted or lose their people.
CREATE OR REPLACE FUNCTION admin.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'admin.audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_log_append_only BEFORE TRUNCATE ON admin.audit_log
FOR EACH STATEMENT EXECUTE FUNCTION admin.refuse_audit_change();

CREATE OR REPLACE TRIGGER audit_log_keep_entries BEFORE UPDATE ON admin.audit_log
FOR EACH ROW WHEN (OLD.at > now() - interval '30 days' OR NEW.actor_id <> '{{someone}}'
  OR (NEW.subject_id IS DISTINCT FROM OLD.subject_id AND NEW.subject_id IS DISTINCT FROM '{{someone}}')
  OR NEW.changed_values <> OLD.changed_values - 'email'
  OR ROW (NEW.id, NEW.action, NEW.subject_name, NEW.changed, NEW.at)
    IS DISTINCT FROM ROW (OLD.id, OLD.action, OLD.subject_name, OLD.changed, OLD.at))
EXECUTE FUNCTION admin.refuse_audit_change();

CREATE OR REPLACE TRIGGER audit_log_keep_the_young BEFORE DELETE ON admin.audit_log
FOR EACH ROW WHEN (OLD.at > now() - interval '30 days') EXECUTE FUNCTION admin.refuse_audit_change();
