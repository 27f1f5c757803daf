-- Sets the publication time, because a draft's row is created earlier.
CREATE OR REPLACE FUNCTION events.keep_published_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.published_at := CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE now() END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER events_published_insert BEFORE INSERT ON events.events
FOR EACH ROW WHEN (NEW.status <> 'draft') EXECUTE FUNCTION events.keep_published_at();

CREATE OR REPLACE TRIGGER events_published_update BEFORE UPDATE OF status ON events.events
FOR EACH ROW WHEN (OLD.status = 'draft' AND NEW.status <> 'draft') EXECUTE FUNCTION events.keep_published_at();
