-- Removes what no foreign key removes. Triggers fire in name order, so this one runs after the foreign keys
-- and sees the entries that deleted events left for calendars.
CREATE OR REPLACE FUNCTION events.forget_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  UPDATE events.deleted_events SET registered_user_ids = array_remove(registered_user_ids, OLD.id)
  WHERE registered_user_ids @> ARRAY[OLD.id];
  -- messages that the person wrote to a host as a visitor
  DELETE FROM events.host_messages WHERE writer_hash = sha256(convert_to(lower(OLD.email), 'UTF8'));
  DELETE FROM events.outbox WHERE payload ->> 'userId' = OLD.id::text;
  UPDATE events.outbox SET payload = replace(payload::text, OLD.id::text, '{{FORMER_MEMBER}}')::jsonb
  WHERE job = '{{RecordAudit}}' AND strpos(payload::text, OLD.id::text) > 0;
  DELETE FROM events.sent_mails WHERE recipient = OLD.id::text;
  IF OLD.email_verified_at IS NOT NULL THEN
    -- data that a phone at the door sent after its link had ended
    DELETE FROM events.door_refusals WHERE lower(guest_email) = lower(OLD.email);
    -- events.join_subscription has already moved the subscription to the account
    DELETE FROM events.subscription_requests WHERE email = OLD.email;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_forget_in_events AFTER DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION events.forget_user();
