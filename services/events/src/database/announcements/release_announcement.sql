-- Adds the announcement job of a published event, once. Until then, the announcement can be withdrawn.
CREATE OR REPLACE FUNCTION events.release_announcement(event uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE events.announcements SET released_at = now()
  WHERE event_id = event AND released_at IS NULL AND EXISTS (
    SELECT FROM events.events WHERE id = event AND status = 'published' AND visibility = 'public');
  IF FOUND THEN
    INSERT INTO events.outbox (id, job, payload)
    VALUES (gen_random_uuid(), '{{SendAnnouncement}}', jsonb_build_object('eventId', event));
    PERFORM pg_notify('outbox', 'events');
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION events.release_announcement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.release_announcement TO meetmark_events;
