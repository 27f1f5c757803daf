-- Whether an event takes place: a draft may never be published, a cancelled one is not held, and one that has begun is no longer ahead.
CREATE OR REPLACE FUNCTION events.is_to_come(event events.events) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT event.status = 'published' AND event.start_date > now()
$$;
