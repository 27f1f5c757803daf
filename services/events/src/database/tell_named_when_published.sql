-- With its publication an event has a page.
CREATE OR REPLACE FUNCTION events.tell_named_when_published() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM events.tell_named(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_tell_named AFTER UPDATE OF status ON events.events
FOR EACH ROW WHEN (OLD.status = 'draft' AND NEW.status = 'published') EXECUTE FUNCTION events.tell_named_when_published();
