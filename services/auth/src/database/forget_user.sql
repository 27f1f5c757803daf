-- Deletes jobs, which the service can't delete, and codes, even those from before the account existed. Takes
-- the id out of audit entries that are still in the outbox.
CREATE OR REPLACE FUNCTION auth.forget_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  DELETE FROM auth.outbox WHERE payload ->> 'userId' = OLD.id::text;
  UPDATE auth.outbox SET payload = replace(payload::text, OLD.id::text, '{{FORMER_MEMBER}}')::jsonb
  WHERE job = '{{RecordAudit}}' AND strpos(payload::text, OLD.id::text) > 0;
  DELETE FROM auth.code_flows WHERE email = lower(OLD.email);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_forget AFTER DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION auth.forget_user();
