-- An account has three open proposals at most, however many requests come at once. The count is a statement of its own after the lock:
-- its snapshot then shows what the others have committed.
CREATE OR REPLACE FUNCTION events.limit_proposals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('events.proposals ' || NEW.proposer_id, 0));
  IF (SELECT count(*) FROM events.proposals WHERE proposer_id = NEW.proposer_id AND decided_at IS NULL) >= 3 THEN
    RAISE EXCEPTION 'three proposals are open'
      USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'proposals', CONSTRAINT = 'proposals_limit';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER proposals_limit BEFORE INSERT ON events.proposals
FOR EACH ROW EXECUTE FUNCTION events.limit_proposals();
