-- Lets the worker lock an event before its dependent rows. The worker has no right to change events.
CREATE OR REPLACE FUNCTION events.lock_event(event uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  SELECT FROM events.events WHERE id = event FOR NO KEY UPDATE
$$;
REVOKE EXECUTE ON FUNCTION events.lock_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.lock_event TO meetmark_worker;
