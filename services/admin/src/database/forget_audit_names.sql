-- Lets the worker remove people from up to 1,000 old audit entries. Returns the number of entries.
CREATE OR REPLACE FUNCTION admin.forget_audit_names(days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  forgotten integer;
BEGIN
  UPDATE admin.audit_log SET actor_id = '{{SOMEONE}}', changed_values = changed_values - 'email',
    subject_id = CASE WHEN subject_id IS NULL OR action ~ '^(event|message|topic)[.]' THEN subject_id ELSE '{{SOMEONE}}' END
  WHERE id IN (
    SELECT id FROM admin.audit_log
    WHERE actor_id <> '{{SOMEONE}}' AND at < now() - make_interval(days => greatest(days, 30))
    ORDER BY at, id LIMIT 1000);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;
REVOKE EXECUTE ON FUNCTION admin.forget_audit_names FROM PUBLIC;
GRANT EXECUTE ON FUNCTION admin.forget_audit_names TO meetmark_worker;
