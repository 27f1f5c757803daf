-- Keeps answered questions and their options; locks the event's row as events.check_answers does.
CREATE OR REPLACE FUNCTION events.keep_answered_questions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM FROM events.events WHERE id = NEW.event_id FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM jsonb_array_elements(OLD.questions) AS asked
    WHERE NOT EXISTS (
        SELECT FROM jsonb_array_elements(NEW.questions) AS kept
        WHERE kept -> 'id' = asked -> 'id' AND kept -> 'kind' = asked -> 'kind' AND kept -> 'options' @> (asked -> 'options'))
      AND EXISTS (
        SELECT FROM events.event_registrations AS registration
        WHERE registration.event_id = NEW.event_id AND registration.answers ? (asked ->> 'id'))) THEN
    RAISE EXCEPTION 'a question of event % has been answered', NEW.event_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'event_contents_answered_check';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER event_contents_keep_answered BEFORE UPDATE OF questions ON events.event_contents
FOR EACH ROW WHEN (OLD.questions <> NEW.questions) EXECUTE FUNCTION events.keep_answered_questions();
