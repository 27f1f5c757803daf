-- Whom messages to the host of an event go to: the first named host who has agreed, else the organiser who made it.
CREATE OR REPLACE FUNCTION events.host_of(event events.events) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT person.user_id FROM events.event_people AS person
    WHERE person.event_id = event.id AND person.role = 'host' AND person.agreed_at IS NOT NULL
    ORDER BY person.position LIMIT 1), event.created_by_id)
$$;
