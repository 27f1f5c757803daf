-- Keeps the audit log append-only for every role; entries can be deleted once they are 30 days old. The only
-- change allowed is the one of admin.forget_user.
CREATE OR REPLACE FUNCTION admin.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'admin.audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_log_append_only BEFORE TRUNCATE ON admin.audit_log
FOR EACH STATEMENT EXECUTE FUNCTION admin.refuse_audit_change();

CREATE OR REPLACE TRIGGER audit_log_only_forgets BEFORE UPDATE ON admin.audit_log
FOR EACH ROW WHEN (
  ROW (NEW.id, NEW.action, NEW.subject_name, NEW.changed, NEW.at)
    IS DISTINCT FROM ROW (OLD.id, OLD.action, OLD.subject_name, OLD.changed, OLD.at)
  OR NEW.actor_id NOT IN (OLD.actor_id, '{{FORMER_MEMBER}}')
  OR NEW.subject_id IS DISTINCT FROM OLD.subject_id AND NEW.subject_id IS DISTINCT FROM '{{FORMER_MEMBER}}'
  OR NEW.changed_values NOT IN (OLD.changed_values, OLD.changed_values - 'email'))
EXECUTE FUNCTION admin.refuse_audit_change();

CREATE OR REPLACE TRIGGER audit_log_keep_the_young BEFORE DELETE ON admin.audit_log
FOR EACH ROW WHEN (OLD.at > now() - interval '30 days') EXECUTE FUNCTION admin.refuse_audit_change();
