CREATE OR REPLACE FUNCTION events.is_to_come(event events.events) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT event.status = 'published' AND event.start_date > now()
$$;
