-- The address that a code has just proved, of somebody who writes to the host of an event: the events service reads it here, and believes
-- no caller. Longer than a code lives, so that a request can be repeated.
CREATE OR REPLACE VIEW auth.proved_contact AS
SELECT id, event_id, email FROM auth.code_flows
WHERE purpose = 'contact' AND confirmed_at > now() - interval '30 minutes';
GRANT SELECT ON auth.proved_contact TO meetmark_events;
