-- Locks the events that refer to the account, in id order like all transactions, to prevent deadlocks.
CREATE OR REPLACE FUNCTION events.lock_events_of_user(account uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  PERFORM FROM events.events WHERE created_by_id = account OR id IN (
    SELECT event_id FROM events.event_registrations WHERE user_id = account
    UNION SELECT event_id FROM events.event_people WHERE user_id = account
    UNION SELECT event_id FROM events.event_edits WHERE editor_id = account
    UNION SELECT event_id FROM events.door_links WHERE created_by_id = account
    UNION SELECT event_id FROM events.messages WHERE author_id = account)
  ORDER BY id FOR NO KEY UPDATE;
END $$;
REVOKE EXECUTE ON FUNCTION events.lock_events_of_user FROM PUBLIC;
