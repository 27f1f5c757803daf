-- Ends the places of one event whose moment has come, before it starts, and returns how many: 0 when none is due at any event. The count
-- of the registrations then gives the places to those who wait. The event's row is locked first, as for a promotion, so several workers
-- at once end each place once.
CREATE OR REPLACE FUNCTION events.lapse_places() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  due_event uuid;
  lapsed integer;
BEGIN
  LOOP
    SELECT place.event_id INTO due_event
    FROM events.event_registrations AS place JOIN events.events AS event ON event.id = place.event_id
    WHERE place.unproved AND place.status = 'registered' AND place.lapses_at <= now() AND events.is_to_come(event)
      AND EXISTS (SELECT FROM auth.users WHERE id = place.user_id AND email_verified_at IS NULL)
    ORDER BY place.lapses_at LIMIT 1;
    IF due_event IS NULL THEN
      RETURN 0;
    END IF;
    PERFORM FROM events.events WHERE id = due_event FOR NO KEY UPDATE;
    WITH ended AS (
      UPDATE events.event_registrations AS place
      SET status = 'cancelled', ended_as = 'lapsed', entry_revision = place.entry_revision + 1
      FROM events.events AS event
      WHERE place.event_id = due_event AND event.id = due_event
        AND place.unproved AND place.status = 'registered' AND place.lapses_at <= now() AND events.is_to_come(event)
        AND EXISTS (SELECT FROM auth.users WHERE id = place.user_id AND email_verified_at IS NULL)
      RETURNING place.id
    ), roll_up AS (
      INSERT INTO events.outbox (id, job, payload, available_at)
      SELECT gen_random_uuid(), '{{RollUpActivity}}', '{}', now() + interval '{{rollUpAfter}}'
      WHERE EXISTS (SELECT FROM ended) AND NOT EXISTS (
        SELECT FROM events.outbox WHERE job = '{{RollUpActivity}}' AND done_at IS NULL AND relayed_at IS NULL
          AND available_at > now() + interval '{{longestStatement}}')
    )
    SELECT count(*) INTO lapsed FROM ended;
    IF lapsed > 0 THEN
      PERFORM pg_notify('outbox', 'events');
      RETURN lapsed;
    END IF;
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION events.lapse_places FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.lapse_places TO meetmark_worker;
