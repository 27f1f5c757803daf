-- For data exports: messages from organisers to the member.
CREATE OR REPLACE FUNCTION events.export_received_messages(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('event', jsonb_build_object('id', e.id, 'title', e.title), 'subject', m.subject, 'body', m.body,
    'state', d.state, 'at', d.at)
  FROM events.message_recipients AS d JOIN events.event_registrations AS r ON r.id = d.registration_id
  JOIN events.messages AS m ON m.id = d.message_id JOIN events.events AS e ON e.id = m.event_id
  WHERE r.user_id = (SELECT auth.exporting(export)) ORDER BY m.created_at, m.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_received_messages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_received_messages TO meetmark_worker;
