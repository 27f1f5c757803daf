-- As events.count_registrations_insert says, of rows that changed.
CREATE OR REPLACE FUNCTION events.count_registrations_update() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  change record;
  waiting integer;
  event_status text;
BEGIN
  FOR change IN
    SELECT event_id, sum(seat) AS seats, sum(wait) AS waits FROM (
      SELECT event_id, (status = 'registered')::integer AS seat, (status = 'waitlisted')::integer AS wait FROM new_rows
      UNION ALL
      SELECT event_id, -(status = 'registered')::integer, -(status = 'waitlisted')::integer FROM old_rows
    ) AS rows GROUP BY event_id HAVING sum(seat) <> 0 OR sum(wait) <> 0 ORDER BY event_id
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

CREATE OR REPLACE TRIGGER event_registrations_count_update
AFTER UPDATE ON events.event_registrations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION events.count_registrations_update();
