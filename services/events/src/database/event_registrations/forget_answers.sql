-- Lets the worker remove up to 1,000 answers of people at ended events. Returns the number of people.
CREATE OR REPLACE FUNCTION events.forget_answers(days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  forgotten integer;
BEGIN
  UPDATE events.event_registrations SET answers = NULL WHERE id IN (
    SELECT registration.id FROM events.event_registrations AS registration
    JOIN events.events AS event ON event.id = registration.event_id
    WHERE registration.answers IS NOT NULL AND event.end_date < now() - make_interval(days => greatest(days, 30))
    LIMIT 1000 FOR UPDATE OF registration SKIP LOCKED);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;
REVOKE EXECUTE ON FUNCTION events.forget_answers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.forget_answers TO meetmark_worker;
