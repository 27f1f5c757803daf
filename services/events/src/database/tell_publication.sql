-- On publication, asks named people for consent and releases a planned announcement.
CREATE OR REPLACE FUNCTION events.tell_publication() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM events.release_announcement(NEW.id);
  PERFORM events.tell_named(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_tell_publication AFTER UPDATE OF status ON events.events
FOR EACH ROW WHEN (OLD.status = 'draft' AND NEW.status = 'published') EXECUTE FUNCTION events.tell_publication();
