-- The count of registrations as it was before there were waiting lists. Nothing of the product runs it: bench/src/waiting-list.ts
-- measures with it what a list costs.
CREATE OR REPLACE FUNCTION events.count_registrations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR change IN
      SELECT event_id, count(*) AS seats FROM new_rows WHERE status = 'registered' GROUP BY event_id ORDER BY event_id
    LOOP
      UPDATE events.events SET registration_count = registration_count + change.seats WHERE id = change.event_id;
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR change IN
      SELECT event_id, count(*) AS seats FROM old_rows WHERE status = 'registered' GROUP BY event_id ORDER BY event_id
    LOOP
      UPDATE events.events SET registration_count = registration_count - change.seats WHERE id = change.event_id;
    END LOOP;
  ELSE
    FOR change IN
      SELECT event_id, sum(seat) AS seats FROM (
        SELECT event_id, 1 AS seat FROM new_rows WHERE status = 'registered'
        UNION ALL
        SELECT event_id, -1 FROM old_rows WHERE status = 'registered'
      ) AS seats GROUP BY event_id HAVING sum(seat) <> 0 ORDER BY event_id
    LOOP
      UPDATE events.events SET registration_count = registration_count + change.seats WHERE id = change.event_id;
    END LOOP;
  END IF;
  RETURN NULL;
END $$;
