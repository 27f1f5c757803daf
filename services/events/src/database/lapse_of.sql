-- When a place lapses that was taken at a moment; null when the event has started by then, so that nobody could take it any more.
CREATE OR REPLACE FUNCTION events.lapse_of(taken timestamptz, event_start timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE SET search_path = '' AS $$
  SELECT CASE WHEN lapse < event_start THEN lapse END
  FROM (SELECT greatest(taken + interval '1 hour', least(taken + interval '24 hours', event_start - interval '2 hours'))) AS at (lapse)
$$;
