-- For data exports: emails about events that are in the outbox.
CREATE OR REPLACE FUNCTION events.export_event_emails(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('kind', split_part(o.job, '.', 2), 'queuedAt', o.created_at,
    'endedAt', o.done_at, 'outcome', CASE WHEN o.done_at IS NULL THEN 'waiting' WHEN o.skipped THEN 'not-needed'
      WHEN o.last_error IS NOT NULL THEN 'failed' ELSE 'sent' END)
  FROM events.outbox AS o LEFT JOIN events.event_registrations AS r ON r.id = (o.payload ->> 'registrationId')::uuid
  LEFT JOIN events.host_messages AS h ON h.id = (o.payload ->> 'messageId')::uuid
  WHERE o.job ~ '^(mail|messages|announcements)[.]'
    AND coalesce((o.payload ->> 'userId')::uuid, r.user_id, h.host_id) = (SELECT auth.exporting(export))
  ORDER BY o.created_at, o.id
$$;
REVOKE EXECUTE ON FUNCTION events.export_event_emails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.export_event_emails TO meetmark_worker;
