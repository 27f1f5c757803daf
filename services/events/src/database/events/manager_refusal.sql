-- Like events.management_refusal, but also checks the session epoch and locks the account until the commit.
CREATE OR REPLACE FUNCTION events.manager_refusal(account uuid, epoch integer, event uuid, as_owner boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM FROM auth.users WHERE id = account AND session_epoch = epoch FOR SHARE;
  IF NOT FOUND THEN
    RETURN 'UNAUTHORIZED';
  END IF;
  RETURN events.management_refusal(account, event, as_owner);
END $$;
REVOKE EXECUTE ON FUNCTION events.manager_refusal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.manager_refusal TO meetmark_events;
