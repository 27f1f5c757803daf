-- For data exports: events that the member organises.
CREATE OR REPLACE FUNCTION events.export_events(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('id', e.id, 'slug', e.event_slug, 'title', e.title, 'description', e.description,
    'descriptionFormat', e.description_format, 'startDate', e.start_date, 'endDate', e.end_date, 'isAllDay', e.is_all_day,
    'timeZone', e.time_zone, 'format', e.format, 'location', e.location, 'price', e.price, 'capacity', e.capacity,
    'status', e.status, 'visibility', e.visibility, 'image', 'images/events/' || e.banner_hash || '.webp',
    'createdAt', e.created_at, 'updatedAt', e.updated_at)
  FROM events.events AS e WHERE e.created_by_id = (SELECT auth.exporting(export)) ORDER BY e.created_at, e.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_events TO meetmark_worker;
