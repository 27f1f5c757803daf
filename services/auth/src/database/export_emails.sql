-- For data exports: emails about the account that are in the outbox.
CREATE OR REPLACE FUNCTION auth.export_emails(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('kind', split_part(o.job, '.', 2), 'queuedAt', o.created_at,
    'endedAt', o.done_at, 'outcome', CASE WHEN o.done_at IS NULL THEN 'waiting' WHEN o.skipped THEN 'not-needed'
      WHEN o.last_error IS NOT NULL THEN 'failed' ELSE 'sent' END)
  FROM auth.outbox AS o LEFT JOIN auth.code_flows AS f ON f.id = (o.payload ->> 'flowId')::uuid
  WHERE o.job LIKE 'mail.%'
    AND coalesce((o.payload ->> 'userId')::uuid, f.user_id) = (SELECT auth.exporting(export))
  ORDER BY o.created_at, o.id
$$;
REVOKE EXECUTE ON FUNCTION auth.export_emails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.export_emails TO meetmark_worker;
