CREATE OR REPLACE FUNCTION events.came(place events.event_registrations) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT place.status = 'registered' AND place.checked_in_at IS NOT NULL
$$;
