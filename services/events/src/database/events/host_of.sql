-- The recipient of messages to the host: the first named host who agreed, or else the event's creator.
CREATE OR REPLACE FUNCTION events.host_of(event events.events) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT person.user_id FROM events.event_people AS person
    WHERE person.event_id = event.id AND person.role = 'host' AND person.agreed_at IS NOT NULL
    ORDER BY person.position LIMIT 1), event.created_by_id)
$$;
