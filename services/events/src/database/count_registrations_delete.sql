-- As events.count_registrations_insert says, of rows that are gone.
CREATE OR REPLACE FUNCTION events.count_registrations_delete() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  change record;
  waiting integer;
  event_status text;
BEGIN
  FOR change IN
    SELECT event_id, -count(*) FILTER (WHERE status = 'registered') AS seats,
      -count(*) FILTER (WHERE status = 'waitlisted') AS waits
    FROM old_rows WHERE status <> 'cancelled' GROUP BY event_id ORDER BY event_id
  LOOP
    UPDATE events.events
    SET registration_count = registration_count + change.seats, waiting_count = waiting_count + change.waits
    WHERE id = change.event_id RETURNING waiting_count, status INTO waiting, event_status;
    IF event_status <> 'published' AND (change.seats > 0 OR change.waits > 0) THEN
      RAISE EXCEPTION 'nobody registers for an event that is %', event_status
        USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'event_registrations',
          CONSTRAINT = 'event_registrations_published_check';
    END IF;
    IF waiting > 0 THEN
      PERFORM events.promote_waiting(change.event_id);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_registrations_count_delete
AFTER DELETE ON events.event_registrations REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION events.count_registrations_delete();
