-- Records an email's outcome; it is refused if its job failed for good or was deleted before it was done.
CREATE OR REPLACE FUNCTION events.keep_message_outcome() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  message uuid := (OLD.payload ->> 'messageId')::uuid;
  outcome text := CASE
    WHEN TG_OP = 'DELETE' THEN 'refused'
    WHEN NEW.skipped THEN 'skipped'
    WHEN NEW.last_error IS NOT NULL THEN 'refused'
    ELSE 'sent' END;
BEGIN
  -- lock order: the recipient before the message, as when an account or an event is deleted
  UPDATE events.message_recipients SET state = outcome, at = now()
  WHERE message_id = message AND registration_id = (OLD.payload ->> 'registrationId')::uuid;
  UPDATE events.messages
  SET sent = sent + (outcome = 'sent')::integer, refused = refused + (outcome = 'refused')::integer,
    skipped = skipped + (outcome = 'skipped')::integer,
    state = CASE WHEN sent + refused + skipped + 1 = recipients THEN 'sent' ELSE state END
  WHERE id = message;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER outbox_message_done AFTER UPDATE OF done_at ON events.outbox
FOR EACH ROW WHEN (OLD.job = '{{MessageMail}}' AND OLD.done_at IS NULL AND NEW.done_at IS NOT NULL)
EXECUTE FUNCTION events.keep_message_outcome();

CREATE OR REPLACE TRIGGER outbox_message_removed AFTER DELETE ON events.outbox
FOR EACH ROW WHEN (OLD.job = '{{MessageMail}}' AND OLD.done_at IS NULL) EXECUTE FUNCTION events.keep_message_outcome();
