-- Why nobody can register for the event at this moment, as the code of an error; null when its state refuses nobody. Whether a place is
-- left is decided where places are counted. `registrationStateOf` (libs/contracts) says the same to browsers: a spec compares the two.
CREATE OR REPLACE FUNCTION events.registration_refusal(event events.events) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN event.status = 'draft' THEN 'EVENT_NOT_FOUND'
    WHEN event.status = 'cancelled' THEN 'EVENT_CANCELLED'
    WHEN event.start_date <= now() THEN 'REGISTRATION_CLOSED'
    WHEN event.registration_closes_at <= now() THEN 'REGISTRATION_ENDED'
    WHEN event.registration_opens_at > now() THEN 'REGISTRATION_NOT_OPEN'
  END
$$;
