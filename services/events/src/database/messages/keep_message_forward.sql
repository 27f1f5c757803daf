-- A message that is being sent, or was sent, can't be changed.
CREATE OR REPLACE FUNCTION events.keep_message_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF ROW (OLD.state, NEW.state) NOT IN (
       ('draft', 'draft'), ('draft', 'scheduled'), ('draft', 'sending'), ('scheduled', 'draft'), ('scheduled', 'scheduled'),
       ('scheduled', 'sending'), ('scheduled', 'cancelled'), ('sending', 'sending'), ('sending', 'sent'), ('scheduled', 'sent'))
    OR (OLD.state NOT IN ('draft', 'scheduled')
        AND ROW (OLD.event_id, OLD.segment, OLD.registration_ids, OLD.subject, OLD.body, OLD.reply_to, OLD.send_at)
          IS DISTINCT FROM ROW (NEW.event_id, NEW.segment, NEW.registration_ids, NEW.subject, NEW.body, NEW.reply_to, NEW.send_at))
  THEN
    RAISE EXCEPTION 'a message that is % does not change', OLD.state
      USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'messages', CONSTRAINT = 'messages_forward_check';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER messages_forward BEFORE UPDATE OF event_id, segment, registration_ids, subject, body, reply_to, send_at, state
ON events.messages FOR EACH ROW EXECUTE FUNCTION events.keep_message_forward();
