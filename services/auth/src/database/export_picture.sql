-- For data exports: the profile photo.
CREATE OR REPLACE FUNCTION auth.export_picture(export uuid) RETURNS TABLE (name text, bytes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT 'profile/' || p.hash || '.webp', p.bytes
  FROM auth.users AS u JOIN auth.pictures AS p ON p.hash = u.profile_picture_hash
  WHERE u.id = (SELECT auth.exporting(export))
$$;
REVOKE EXECUTE ON FUNCTION auth.export_picture FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.export_picture TO meetmark_worker;
