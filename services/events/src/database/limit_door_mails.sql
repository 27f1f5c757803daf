-- A link of the door names twenty addresses a day, as each gets a mail. Counted in a statement of its own after the lock: its snapshot
-- then shows what others have committed.
CREATE OR REPLACE FUNCTION events.limit_door_mails() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('events.door_mails ' || NEW.link_id, 0));
  IF (SELECT count(*) FROM events.check_ins
      WHERE link_id = NEW.link_id AND mailed_at > now() - interval '24 hours') >= 20 THEN
    RAISE EXCEPTION 'the door link has named twenty addresses within a day'
      USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'check_ins', CONSTRAINT = 'door_mails_limit';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER check_ins_limit_mails BEFORE INSERT ON events.check_ins
FOR EACH ROW WHEN (NEW.mailed_at IS NOT NULL) EXECUTE FUNCTION events.limit_door_mails();
