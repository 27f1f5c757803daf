-- Keeps the audit log append-only for every role; entries can be deleted once they are 30 days old.
CREATE OR REPLACE FUNCTION admin.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'admin.audit_log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER audit_log_append_only BEFORE UPDATE OR TRUNCATE ON admin.audit_log
FOR EACH STATEMENT EXECUTE FUNCTION admin.refuse_audit_change();

CREATE OR REPLACE TRIGGER audit_log_keep_the_young BEFORE DELETE ON admin.audit_log
FOR EACH ROW WHEN (OLD.at > now() - interval '30 days') EXECUTE FUNCTION admin.refuse_audit_change();
