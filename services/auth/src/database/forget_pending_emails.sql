-- Lets the worker remove new email addresses that were not confirmed within a day.
CREATE OR REPLACE FUNCTION auth.forget_pending_emails() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  forgotten integer;
BEGIN
  UPDATE auth.users SET pending_email = NULL, pending_email_at = NULL
  WHERE pending_email_at < now() - interval '1 day';
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;
REVOKE EXECUTE ON FUNCTION auth.forget_pending_emails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.forget_pending_emails TO meetmark_worker;
