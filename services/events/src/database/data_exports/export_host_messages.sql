-- For data exports: messages that the member wrote to hosts, until they are erased.
CREATE OR REPLACE FUNCTION events.export_host_messages(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('event', jsonb_build_object('id', e.id, 'title', e.title), 'name', m.name, 'email', m.email,
    'body', m.body, 'writtenAt', m.written_at)
  FROM events.host_messages AS m JOIN events.events AS e ON e.id = m.event_id
  WHERE m.writer_id = (SELECT auth.exporting(export)) ORDER BY m.written_at, m.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_host_messages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_host_messages TO meetmark_worker;
