-- For data exports: versions of the legal pages that the member accepted.
CREATE OR REPLACE FUNCTION auth.export_consents(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('page', c.page, 'version', c.version, 'acceptedAt', c.accepted_at)
  FROM auth.consents AS c WHERE c.user_id = (SELECT auth.exporting(export)) ORDER BY c.accepted_at, c.page
$$;
REVOKE EXECUTE ON FUNCTION auth.export_consents FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.export_consents TO meetmark_worker;
