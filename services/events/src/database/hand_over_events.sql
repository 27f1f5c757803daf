-- The events of an account that auth deletes pass to another one, in the transaction that deletes it. They do so for nobody who has an
-- account: no event outlives its creator's account, except until the commit of the transaction that deletes it and defers the foreign key.
-- One statement looks and changes: between two an account could be made. The trigger users_lock_events has locked the events.
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
