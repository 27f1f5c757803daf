-- Asks named members for consent once per role: co-hosts even for a draft, others on publication.
CREATE OR REPLACE FUNCTION events.tell_named(named_event uuid) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  written integer;
BEGIN
  WITH told AS (
    UPDATE events.event_people AS person SET told_at = now()
    FROM events.events AS event
    WHERE event.id = named_event AND event.end_date > now() AND person.event_id = event.id
      AND person.user_id IS NOT NULL AND person.told_at IS NULL AND (
        event.status = 'published' AND person.agreed_at IS NULL
        OR event.status <> 'cancelled' AND person.manages AND person.manages_agreed_at IS NULL)
    RETURNING person.user_id, person.role
  ), mails AS (
    INSERT INTO events.outbox (id, job, payload)
    SELECT gen_random_uuid(), '{{NamedInEventMail}}',
      jsonb_build_object('eventId', named_event, 'userId', user_id, 'role', role)
    FROM told RETURNING id
  )
  SELECT count(*) INTO written FROM mails;
  IF written > 0 THEN
    PERFORM pg_notify('outbox', 'events');
  END IF;
  RETURN written;
END $$;
REVOKE EXECUTE ON FUNCTION events.tell_named FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.tell_named TO meetmark_events;
