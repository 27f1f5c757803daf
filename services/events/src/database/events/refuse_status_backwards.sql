-- Lets the status only move forward: draft, published, cancelled.
CREATE OR REPLACE FUNCTION events.refuse_status_backwards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an event that is % does not become %', OLD.status, NEW.status
    USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'events', CONSTRAINT = 'events_status_forward_check';
END $$;

CREATE OR REPLACE TRIGGER events_status_forward BEFORE UPDATE OF status ON events.events FOR EACH ROW
WHEN (NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (('draft', 'published'), ('published', 'cancelled')))
EXECUTE FUNCTION events.refuse_status_backwards();
