-- Keeps the audit log append-only for every role. Entries can lose the id of a deleted account. After 30 days,
-- they can be deleted or lose all people.
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
  OR NEW.actor_id NOT IN (OLD.actor_id, '{{FORMER_MEMBER}}', '{{SOMEONE}}')
  OR NEW.subject_id IS DISTINCT FROM OLD.subject_id AND coalesce(NEW.subject_id NOT IN ('{{FORMER_MEMBER}}', '{{SOMEONE}}'), true)
  OR NEW.changed_values NOT IN (OLD.changed_values, OLD.changed_values - 'email')
  OR NEW.actor_id <> OLD.actor_id AND NEW.actor_id = '{{SOMEONE}}' AND OLD.at > now() - interval '30 days')
EXECUTE FUNCTION admin.refuse_audit_change();

CREATE OR REPLACE TRIGGER audit_log_keep_the_young BEFORE DELETE ON admin.audit_log
FOR EACH ROW WHEN (OLD.at > now() - interval '30 days') EXECUTE FUNCTION admin.refuse_audit_change();
