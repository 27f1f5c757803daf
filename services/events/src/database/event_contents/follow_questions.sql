-- Sets has_questions, which the service has no right to write.
CREATE OR REPLACE FUNCTION events.follow_questions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE events.events SET has_questions = NEW.questions <> '[]'
  WHERE id = NEW.event_id AND has_questions <> (NEW.questions <> '[]');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_contents_follow_questions AFTER INSERT OR UPDATE OF questions ON events.event_contents
FOR EACH ROW EXECUTE FUNCTION events.follow_questions();
