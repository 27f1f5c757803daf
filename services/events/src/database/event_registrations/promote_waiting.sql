-- Promotes until registration closes; callers lock the event's row before registrations, against deadlocks.
CREATE OR REPLACE FUNCTION events.promote_waiting(promoted_event uuid) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  free integer;
  promoted integer;
BEGIN
  SELECT least(waiting_count, coalesce(capacity - registration_count, waiting_count)) INTO free
  FROM events.events AS event
  WHERE id = promoted_event AND waiting_count > 0
    AND coalesce(events.registration_refusal(event), 'REGISTRATION_NOT_OPEN') = 'REGISTRATION_NOT_OPEN'
  FOR NO KEY UPDATE;
  IF free IS NULL OR free <= 0 THEN
    RETURN 0;
  END IF;
  WITH first AS (
    SELECT id FROM events.event_registrations WHERE event_id = promoted_event AND status = 'waitlisted'
    ORDER BY registered_at, id LIMIT free FOR UPDATE
  ), placed AS (
    UPDATE events.event_registrations AS registration
    SET status = 'registered', registered_at = now(), entry_revision = entry_revision + 1
    FROM first WHERE registration.id = first.id RETURNING registration.id, registration.registered_at
  ), mails AS (
    INSERT INTO events.outbox (id, job, payload)
    SELECT gen_random_uuid(), '{{PromotedMail}}', jsonb_build_object('registrationId', id, 'registeredAt',
      to_char(registered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM placed
  ), roll_up AS (
    INSERT INTO events.outbox (id, job, payload, available_at)
    SELECT gen_random_uuid(), '{{RollUpActivity}}', '{}', now() + interval '{{rollUpAfter}}'
    WHERE NOT EXISTS (
      SELECT FROM events.outbox WHERE job = '{{RollUpActivity}}' AND done_at IS NULL AND relayed_at IS NULL
        AND available_at > now() + interval '{{longestStatement}}')
  )
  SELECT count(*) INTO promoted FROM placed;
  PERFORM pg_notify('outbox', 'events');
  RETURN promoted;
END $$;
REVOKE EXECUTE ON FUNCTION events.promote_waiting FROM PUBLIC;
