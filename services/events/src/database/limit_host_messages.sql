-- A person writes to hosts {{hostMessagesOfWriter}} times within 24 hours, and a host gets {{hostMessagesOfHost}} messages, however many requests come at once. Counted in
-- statements of their own after both locks, which are taken in one order: their snapshots then show what others have committed. A
-- message that is there already is repeated, and counts once.
CREATE OR REPLACE FUNCTION events.limit_host_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('events.host_messages by ' || encode(NEW.writer_hash, 'hex'), 0));
  PERFORM pg_advisory_xact_lock(hashtextextended('events.host_messages to ' || NEW.host_id, 0));
  IF EXISTS (SELECT FROM events.host_messages WHERE id = NEW.id) THEN
    RETURN NULL;
  END IF;
  IF (SELECT count(*) FROM events.host_messages
      WHERE writer_hash = NEW.writer_hash AND written_at > now() - interval '24 hours') >= {{hostMessagesOfWriter}} THEN
    RAISE EXCEPTION 'a person has written to hosts too often within a day'
      USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'host_messages', CONSTRAINT = 'host_messages_writer_limit';
  END IF;
  IF (SELECT count(*) FROM events.host_messages
      WHERE host_id = NEW.host_id AND written_at > now() - interval '24 hours') >= {{hostMessagesOfHost}} THEN
    RAISE EXCEPTION 'a host was written to too often within a day'
      USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'host_messages', CONSTRAINT = 'host_messages_host_limit';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER host_messages_limit BEFORE INSERT ON events.host_messages
FOR EACH ROW EXECUTE FUNCTION events.limit_host_messages();
