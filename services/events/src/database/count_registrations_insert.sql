-- The figures of an event follow its registrations: those with a place, and those that wait. Nobody gets either at an event that was
-- cancelled at the same moment, or is a draft: here, where the event's row is locked, its status is what it is at the commit. This is of
-- new rows; those of events.count_registrations_update and events.count_registrations_delete are read from other tables.
--
-- It follows every change, those of foreign-key cascades included; with events_within_capacity_check it is what makes overbooking
-- impossible. It runs as the owner, because the service itself must not write the figures, and after the statement, so that the event's
-- row is locked last and for the shortest time. Events are locked in the order of their ids: two deleted members who shared events
-- cannot wait for each other. A place that became free is given in the same transaction to the first who waits, whoever freed it.
CREATE OR REPLACE FUNCTION events.count_registrations_insert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  change record;
  waiting integer;
  event_status text;
BEGIN
  FOR change IN
    SELECT event_id, count(*) FILTER (WHERE status = 'registered') AS seats,
      count(*) FILTER (WHERE status = 'waitlisted') AS waits
    FROM new_rows WHERE status <> 'cancelled' GROUP BY event_id ORDER BY event_id
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

CREATE OR REPLACE TRIGGER event_registrations_count_insert
AFTER INSERT ON events.event_registrations REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION events.count_registrations_insert();
