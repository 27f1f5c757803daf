-- An error code or null; locks the account until the commit, like auth.administrator_refusal.
CREATE OR REPLACE FUNCTION auth.organiser_refusal(account uuid, epoch integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  present record;
BEGIN
  SELECT is_admin OR is_organiser AS may, session_epoch INTO present FROM auth.users WHERE id = account FOR SHARE;
  RETURN CASE
    WHEN NOT FOUND OR present.session_epoch <> epoch THEN 'UNAUTHORIZED'
    WHEN NOT present.may THEN 'FORBIDDEN' END;
END $$;
REVOKE EXECUTE ON FUNCTION auth.organiser_refusal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.organiser_refusal TO meetmark_auth, meetmark_events;
