-- Keeps the counts on which events_within_capacity_check relies, even after a foreign key's cascade. Runs
-- after the statement to lock the event's row only briefly, and in id order to prevent deadlocks.
CREATE OR REPLACE FUNCTION events.count_registrations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR change IN
      SELECT event_id, count(*) FILTER (WHERE status = 'registered') AS seats,
        count(*) FILTER (WHERE status = 'waitlisted') AS waits
      FROM new_rows WHERE status <> 'cancelled' GROUP BY event_id ORDER BY event_id
    LOOP
      PERFORM events.move_counts(change.event_id, change.seats, change.waits);
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR change IN
      SELECT event_id, -count(*) FILTER (WHERE status = 'registered') AS seats,
        -count(*) FILTER (WHERE status = 'waitlisted') AS waits
      FROM old_rows WHERE status <> 'cancelled' GROUP BY event_id ORDER BY event_id
    LOOP
      PERFORM events.move_counts(change.event_id, change.seats, change.waits);
    END LOOP;
  ELSE
    FOR change IN
      SELECT event_id, sum(seat) AS seats, sum(wait) AS waits FROM (
        SELECT event_id, (status = 'registered')::integer AS seat, (status = 'waitlisted')::integer AS wait FROM new_rows
        UNION ALL
        SELECT event_id, -(status = 'registered')::integer, -(status = 'waitlisted')::integer FROM old_rows
      ) AS rows GROUP BY event_id HAVING sum(seat) <> 0 OR sum(wait) <> 0 ORDER BY event_id
    LOOP
      PERFORM events.move_counts(change.event_id, change.seats, change.waits);
    END LOOP;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_registrations_count_insert
AFTER INSERT ON events.event_registrations REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION events.count_registrations();

CREATE OR REPLACE TRIGGER event_registrations_count_update
AFTER UPDATE ON events.event_registrations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION events.count_registrations();

CREATE OR REPLACE TRIGGER event_registrations_count_delete
AFTER DELETE ON events.event_registrations REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION events.count_registrations();
