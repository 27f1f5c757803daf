-- For data exports: when the profile was edited. Names nobody else.
CREATE OR REPLACE FUNCTION auth.export_profile_edits(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('at', e.edited_at, 'changed', e.changed, 'byYou', coalesce(e.editor_id = e.user_id, false))
  FROM auth.profile_edits AS e WHERE e.user_id = (SELECT auth.exporting(export)) ORDER BY e.version
$$;
REVOKE EXECUTE ON FUNCTION auth.export_profile_edits FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.export_profile_edits TO meetmark_worker;
