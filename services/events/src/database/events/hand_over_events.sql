-- Fails if the account exists, in one statement, because it could be created again between two statements.
CREATE OR REPLACE FUNCTION events.hand_over_events(account uuid, heir uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE events.events SET created_by_id = heir
  WHERE created_by_id = account AND NOT EXISTS (SELECT FROM auth.users WHERE id = account);
  IF EXISTS (SELECT FROM auth.users WHERE id = account) THEN
    RAISE EXCEPTION 'the events of an account that is there stay with it' USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION events.hand_over_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.hand_over_events TO meetmark_auth;
