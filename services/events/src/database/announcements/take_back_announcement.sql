-- Withdraws an announcement that hasn't been released.
CREATE OR REPLACE FUNCTION events.take_back_announcement(event uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
  DELETE FROM events.announcements WHERE event_id = event AND released_at IS NULL
$$;
REVOKE EXECUTE ON FUNCTION events.take_back_announcement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.take_back_announcement TO meetmark_events;
