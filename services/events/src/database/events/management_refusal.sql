-- An error code or null; `as_owner` is whether the caller has an owner's rights now, for which the gateway
-- may require a second factor.
CREATE OR REPLACE FUNCTION events.management_refusal(account uuid, event uuid, as_owner boolean) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  present record;
  subject record;
  organises boolean;
BEGIN
  SELECT is_admin, is_organiser INTO present FROM auth.users WHERE id = account AND closed_at IS NULL;
  IF NOT FOUND THEN
    RETURN 'FORBIDDEN';
  END IF;
  IF as_owner AND present.is_admin THEN
    RETURN NULL;
  END IF;
  organises := present.is_organiser AND NOT present.is_admin;
  SELECT created_by_id, status INTO subject FROM events.events WHERE id = event;
  IF organises AND subject.created_by_id = account THEN
    RETURN NULL;
  END IF;
  -- a creator who lost the organiser role can't keep managing by an invitation as co-host
  IF subject.created_by_id <> account AND EXISTS (SELECT FROM events.event_people
      WHERE event_id = event AND user_id = account AND agreed_at IS NOT NULL AND manages_agreed_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  -- a draft gets the same answer as a missing event, so that nobody learns which drafts exist
  RETURN CASE WHEN subject.status <> 'draft' OR NOT (organises OR EXISTS (
      SELECT FROM events.event_people WHERE user_id = account AND agreed_at IS NOT NULL AND manages_agreed_at IS NOT NULL))
    THEN 'FORBIDDEN' ELSE 'EVENT_NOT_FOUND' END;
END $$;
REVOKE EXECUTE ON FUNCTION events.management_refusal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events.management_refusal TO meetmark_events, meetmark_worker;
