-- Deletes stored responses to other people's requests if they contain the deleted account's id.
CREATE OR REPLACE FUNCTION gateway.forget_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  DELETE FROM gateway.idempotency_keys WHERE strpos(body::text, OLD.id::text) > 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_forget_in_gateway AFTER DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION gateway.forget_user();
