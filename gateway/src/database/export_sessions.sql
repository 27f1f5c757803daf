-- For data exports: sessions, as the profile shows them.
CREATE OR REPLACE FUNCTION gateway.export_sessions(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object(
    'startedAt', to_timestamp((s.sess ->> 'createdAt')::bigint / 1000.0),
    'lastUsedAt', to_timestamp((s.sess ->> 'usedAt')::bigint / 1000.0),
    'expiresAt', s.expire, 'device', s.sess ->> 'device', 'network', s.sess ->> 'network')
  FROM gateway.sessions AS s WHERE s.user_id = (SELECT auth.exporting(export)) ORDER BY s.expire, s.sid
$$;
REVOKE EXECUTE ON FUNCTION gateway.export_sessions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gateway.export_sessions TO meetmark_worker;
