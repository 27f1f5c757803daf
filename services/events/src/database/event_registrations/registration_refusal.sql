-- An error code or null, without the capacity; a spec compares it with libs/contracts' getRegistrationState.
CREATE OR REPLACE FUNCTION events.registration_refusal(event events.events) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN event.status = 'draft' THEN 'EVENT_NOT_FOUND'
    WHEN event.status = 'cancelled' THEN 'EVENT_CANCELLED'
    WHEN event.start_date <= now() THEN 'REGISTRATION_CLOSED'
    WHEN event.registration_closes_at <= now() THEN 'REGISTRATION_ENDED'
    WHEN event.registration_opens_at > now() THEN 'REGISTRATION_NOT_OPEN'
  END
$$;
