-- Refuses answers that fit no question. Locks the event's row, after the caller locked the member, to run
-- before or after events.keep_answered_questions.
CREATE OR REPLACE FUNCTION events.check_answers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  asked jsonb;
BEGIN
  PERFORM FROM events.events WHERE id = NEW.event_id FOR NO KEY UPDATE;
  SELECT questions INTO asked FROM events.event_contents WHERE event_id = NEW.event_id;
  IF EXISTS (
    SELECT FROM jsonb_each(NEW.answers) AS answer
    WHERE NOT EXISTS (
      SELECT FROM jsonb_array_elements(asked) AS question
      WHERE question ->> 'id' = answer.key AND CASE question ->> 'kind'
        WHEN 'yesNo' THEN jsonb_typeof(answer.value) = 'boolean'
        WHEN 'choice' THEN jsonb_typeof(answer.value) = 'string' AND question -> 'options' @> answer.value
        ELSE jsonb_typeof(answer.value) = 'string' AND char_length(answer.value #>> '{}') BETWEEN 1 AND 500 END)) THEN
    RAISE EXCEPTION 'an answer fits no question of event %', NEW.event_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'event_registrations_answers_fit_check';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER event_registrations_check_answers BEFORE INSERT OR UPDATE OF answers ON events.event_registrations
FOR EACH ROW WHEN (NEW.answers IS NOT NULL) EXECUTE FUNCTION events.check_answers();
