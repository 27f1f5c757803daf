-- With an account go the background work that names it and the codes of its address, also those that were asked for before there was an
-- account. With the rights of the owner: the role that deletes a user may not delete outbox rows by itself.
CREATE OR REPLACE FUNCTION auth.forget_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  DELETE FROM auth.outbox WHERE payload ->> 'userId' = OLD.id::text;
  DELETE FROM auth.code_flows WHERE email = lower(OLD.email);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_forget AFTER DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION auth.forget_user();
