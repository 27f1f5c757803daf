-- For data exports: messages that the member wrote to guests.
CREATE OR REPLACE FUNCTION events.export_messages(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('event', jsonb_build_object('id', e.id, 'title', e.title), 'to', m.segment, 'subject', m.subject,
    'body', m.body, 'state', m.state, 'sendAt', m.send_at, 'createdAt', m.created_at)
  FROM events.messages AS m JOIN events.events AS e ON e.id = m.event_id
  WHERE m.author_id = (SELECT auth.exporting(export)) ORDER BY m.created_at, m.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_messages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_messages TO meetmark_worker;
