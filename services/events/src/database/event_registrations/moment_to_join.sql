-- Later than the whole waiting list, despite clock changes and rounding; the caller locked the event's row.
CREATE OR REPLACE FUNCTION events.moment_to_join(joined_event uuid) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  RETURN (
    SELECT greatest(clock_timestamp(), max(registered_at) + interval '1 ms') FROM events.event_registrations
    WHERE event_id = joined_event AND status = 'waitlisted');
END $$;
REVOKE EXECUTE ON FUNCTION events.moment_to_join FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.moment_to_join TO meetmark_events;
