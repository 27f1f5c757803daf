-- Releases an announcement immediately if the event is already published.
CREATE OR REPLACE FUNCTION events.release_announcement_of_new() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM events.release_announcement(NEW.event_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announcements_release AFTER INSERT ON events.announcements
FOR EACH ROW EXECUTE FUNCTION events.release_announcement_of_new();
