-- `known` is the result of events.knows_who_came, which the caller computes once.
CREATE OR REPLACE FUNCTION events.did_not_come(place events.event_registrations, known boolean) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT place.status = 'registered' AND place.checked_in_at IS NULL AND known
$$;
