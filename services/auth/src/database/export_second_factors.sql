-- For data exports: second factors, without their secrets.
CREATE OR REPLACE FUNCTION auth.export_second_factors(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('kind', f.kind, 'name', f.name, 'createdAt', f.created_at, 'lastUsedAt', f.last_used_at)
  FROM auth.second_factors AS f WHERE f.user_id = (SELECT auth.exporting(export)) ORDER BY f.created_at, f.id
$$;
REVOKE EXECUTE ON FUNCTION auth.export_second_factors FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.export_second_factors TO meetmark_worker;
