-- Changes the counts and promotes people; checks the status again, because the row is locked only now.
CREATE OR REPLACE FUNCTION events.move_counts(changed_event uuid, seats bigint, waits bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  waiting integer;
  event_status text;
BEGIN
  UPDATE events.events SET registration_count = registration_count + seats, waiting_count = waiting_count + waits
  WHERE id = changed_event RETURNING waiting_count, status INTO waiting, event_status;
  IF event_status <> 'published' AND (seats > 0 OR waits > 0) THEN
    RAISE EXCEPTION 'nobody registers for an event that is %', event_status
      USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'event_registrations',
        CONSTRAINT = 'event_registrations_published_check';
  END IF;
  IF waiting > 0 THEN
    PERFORM events.promote_waiting(changed_event);
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION events.move_counts FROM PUBLIC;
