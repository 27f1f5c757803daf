-- Lets the worker remove the check-ins of one ended event. Removing only some would turn guests into no-shows.
-- Returns the number of check-ins.
CREATE OR REPLACE FUNCTION events.forget_check_ins(days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  too_old timestamptz := now() - make_interval(days => greatest(days, 30));
  old_event uuid;
  forgotten integer;
BEGIN
  DELETE FROM events.door_refusals WHERE link_id IN (
    SELECT link.id FROM events.door_links AS link JOIN events.events AS event ON event.id = link.event_id
    WHERE event.end_date < too_old);
  SELECT id INTO old_event FROM events.events AS event
  WHERE end_date < too_old AND EXISTS (SELECT FROM events.check_ins WHERE event_id = event.id)
  ORDER BY end_date, id LIMIT 1;
  -- the service's lockDoor, then the lock order
  PERFORM pg_advisory_xact_lock(hashtextextended('door ' || old_event, 0));
  PERFORM FROM events.events WHERE id = old_event FOR NO KEY UPDATE;
  UPDATE events.event_registrations SET checked_in_at = NULL, checked_in_by = NULL
  WHERE event_id = old_event AND checked_in_at IS NOT NULL;
  DELETE FROM events.check_ins WHERE event_id = old_event;
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;
REVOKE EXECUTE ON FUNCTION events.forget_check_ins FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.forget_check_ins TO meetmark_worker;
