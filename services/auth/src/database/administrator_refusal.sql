-- An error code or null; locks the account until the commit, so that its rights and sessions don't change.
CREATE OR REPLACE FUNCTION auth.administrator_refusal(account uuid, epoch integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  present record;
BEGIN
  SELECT is_admin, session_epoch INTO present FROM auth.users WHERE id = account FOR SHARE;
  RETURN CASE
    WHEN NOT FOUND OR present.session_epoch <> epoch THEN 'UNAUTHORIZED'
    WHEN NOT present.is_admin THEN 'FORBIDDEN' END;
END $$;
REVOKE EXECUTE ON FUNCTION auth.administrator_refusal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.administrator_refusal TO meetmark_auth, meetmark_events, meetmark_admin;
