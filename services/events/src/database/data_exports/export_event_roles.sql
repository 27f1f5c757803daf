-- For data exports: where the member is a host or speaker.
CREATE OR REPLACE FUNCTION events.export_event_roles(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('event', jsonb_build_object('id', e.id, 'title', e.title), 'role', p.role, 'title', p.title,
    'bio', p.bio, 'notifiedAt', p.told_at, 'agreedAt', p.agreed_at, 'manages', p.manages, 'managesAgreedAt', p.manages_agreed_at)
  FROM events.event_people AS p JOIN events.events AS e ON e.id = p.event_id
  WHERE p.user_id = (SELECT auth.exporting(export)) ORDER BY e.start_date, p.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_event_roles FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_event_roles TO meetmark_worker;
