-- Whether somebody with a place was not there. Where nobody was checked in, it is not known who came.
CREATE OR REPLACE FUNCTION events.did_not_come(place events.event_registrations) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT place.status = 'registered' AND place.checked_in_at IS NULL AND events.knows_who_came(place.event_id)
$$;
