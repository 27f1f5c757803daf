-- What the schema of events keeps of an account besides its registrations and its feed, which foreign keys take away. Runs after the
-- foreign keys (triggers fire in the order of their names), so a deletion of an event that holds a registration of the account has ended
-- by then, and what it left for calendars is seen.
CREATE OR REPLACE FUNCTION events.forget_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  UPDATE events.deleted_events SET registered_user_ids = array_remove(registered_user_ids, OLD.id)
  WHERE registered_user_ids @> ARRAY[OLD.id];
  -- also what they wrote to a host as a visitor
  DELETE FROM events.host_messages WHERE writer_hash = sha256(convert_to(lower(OLD.email), 'UTF8'));
  DELETE FROM events.outbox WHERE payload ->> 'userId' = OLD.id::text;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_forget_in_events AFTER DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION events.forget_user();
