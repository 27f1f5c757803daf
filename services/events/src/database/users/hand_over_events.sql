-- Gives the account's events to a co-host who may organise events, or else to the administrator who deletes the
-- account ('meetmark.editor'), or else to the administrator who has been there longest.
CREATE OR REPLACE FUNCTION events.hand_over_events(account uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  administrator uuid := (
    SELECT id FROM auth.users WHERE is_admin AND closed_at IS NULL AND id <> account
    ORDER BY id::text = current_setting('meetmark.editor', true) DESC NULLS LAST, created_at, id LIMIT 1);
BEGIN
  UPDATE events.events AS event SET created_by_id = coalesce((
    SELECT person.user_id FROM events.event_people AS person JOIN auth.organiser ON organiser.id = person.user_id
    WHERE person.event_id = event.id AND person.user_id <> account
      AND person.agreed_at IS NOT NULL AND person.manages_agreed_at IS NOT NULL
    ORDER BY person.position LIMIT 1), administrator, created_by_id)
  WHERE created_by_id = account;
END $$;
REVOKE EXECUTE ON FUNCTION events.hand_over_events FROM PUBLIC;
