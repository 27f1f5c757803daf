-- For data exports: registrations for events that were deleted.
CREATE OR REPLACE FUNCTION events.export_deleted_events(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('id', d.id, 'title', d.title, 'location', d.location, 'startDate', d.start_date,
    'endDate', d.end_date, 'isAllDay', d.is_all_day, 'timeZone', d.time_zone, 'deletedAt', d.deleted_at)
  FROM events.deleted_events AS d
  WHERE d.registered_user_ids @> ARRAY[(SELECT auth.exporting(export))] ORDER BY d.start_date, d.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_deleted_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_deleted_events TO meetmark_worker;
