-- An announcement that was wished for while the event was a draft.
CREATE OR REPLACE FUNCTION events.release_announcement_of_published() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM events.release_announcement(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER events_release_announcement AFTER UPDATE OF status ON events.events
FOR EACH ROW WHEN (OLD.status = 'draft' AND NEW.status = 'published')
EXECUTE FUNCTION events.release_announcement_of_published();
