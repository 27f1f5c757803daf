-- For data exports: registrations and places on waiting lists, with what their calendar entries need.
CREATE OR REPLACE FUNCTION events.export_registrations(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object(
    'id', r.id, 'state', r.status, 'registeredAt', r.registered_at, 'date', r.selected_date, 'showMe', r.show_me,
    'addedAs', r.added_as, 'addedWithEmail', r.guest_email, 'paidAt', r.paid_at,
    'checkedInAt', r.checked_in_at, 'checkedInBy', r.checked_in_by, 'endedAs', r.ended_as, 'endedAt', r.ended_at,
    'answers', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('question', q ->> 'label', 'answer', r.answers -> (q ->> 'id'))), '[]')
      FROM jsonb_array_elements(c.questions) AS q WHERE r.answers ? (q ->> 'id')),
    'event', jsonb_build_object(
      'id', e.id, 'slug', e.event_slug, 'title', e.title, 'startDate', e.start_date, 'endDate', e.end_date,
      'isAllDay', e.is_all_day, 'timeZone', e.time_zone, 'format', e.format, 'location', e.location,
      'status', e.status, 'sequence', e.sequence))
  FROM events.event_registrations AS r JOIN events.events AS e ON e.id = r.event_id
  LEFT JOIN events.event_contents AS c ON c.event_id = e.id
  WHERE r.user_id = (SELECT auth.exporting(export)) ORDER BY r.registered_at, r.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_registrations FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_registrations TO meetmark_worker;
