-- Publishes due drafts for those who scheduled them; the worker can change events only with this function.
CREATE OR REPLACE FUNCTION events.publish_due() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  published uuid[];
BEGIN
  WITH due AS (
    SELECT id, created_by_id FROM events.events WHERE status = 'draft' AND publish_at <= now()
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), changed AS (
    UPDATE events.events AS event SET status = 'published', publish_at = NULL, updated_at = now()
    FROM due WHERE event.id = due.id RETURNING event.id, event.title, due.created_by_id
  ), audited AS (
    INSERT INTO events.outbox (id, job, payload)
    SELECT gen_random_uuid(), '{{RecordAudit}}', jsonb_build_object('action', 'event.published',
      'actorId', coalesce((
        SELECT editor_id FROM events.event_edits
        WHERE event_id = changed.id AND 'publishAt' = ANY (event_edits.changed) AND editor_id IS NOT NULL
        ORDER BY version DESC LIMIT 1), created_by_id),
      'subjectId', id, 'subjectName', title, 'changed', '[]'::jsonb,
      'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    FROM changed RETURNING id
  )
  SELECT array_agg(id) INTO published FROM changed;
  -- as the service's publishEvent does
  PERFORM events.release_announcement(id), events.tell_named(id) FROM unnest(published) AS id;
  IF published IS NOT NULL THEN
    PERFORM pg_notify('outbox', 'events');
  END IF;
  RETURN coalesce(cardinality(published), 0);
END $$;
REVOKE EXECUTE ON FUNCTION events.publish_due FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.publish_due TO meetmark_worker;
