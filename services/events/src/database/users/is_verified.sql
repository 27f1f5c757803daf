CREATE OR REPLACE FUNCTION events.is_verified(member uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT EXISTS (SELECT FROM auth.users WHERE id = member AND email_verified_at IS NOT NULL AND closed_at IS NULL)
$$;
REVOKE EXECUTE ON FUNCTION events.is_verified FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.is_verified TO meetmark_events;
