-- For data exports: edits of events.
CREATE OR REPLACE FUNCTION events.export_event_edits(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('event', jsonb_build_object('id', e.id, 'title', e.title), 'at', d.edited_at, 'changed', d.changed)
  FROM events.event_edits AS d JOIN events.events AS e ON e.id = d.event_id
  WHERE d.editor_id = (SELECT auth.exporting(export)) ORDER BY d.edited_at, d.event_id, d.version
$$;
REVOKE EXECUTE ON FUNCTION events.export_event_edits FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_event_edits TO meetmark_worker;
