-- The account whose data an export may read; null once the export is ready, so that the worker reads only
-- data that its owner has just asked for.
CREATE OR REPLACE FUNCTION auth.exporting(export uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT user_id FROM auth.data_exports WHERE id = export AND ready_at IS NULL AND expires_at > now()
$$;
REVOKE EXECUTE ON FUNCTION auth.exporting FROM PUBLIC;
