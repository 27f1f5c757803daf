-- Whether anyone was checked in at the event. If not, attendance is unknown.
CREATE OR REPLACE FUNCTION events.knows_who_came(event uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM events.event_registrations AS place WHERE place.event_id = event AND place.checked_in_at IS NOT NULL)
$$;
