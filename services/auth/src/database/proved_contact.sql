-- Addresses that visitors verified to write to a host; a row outlives its code, so messages can be resent.
CREATE OR REPLACE VIEW auth.proved_contact AS
SELECT id, event_id, email FROM auth.code_flows
WHERE purpose = 'contact' AND confirmed_at > now() - interval '30 minutes';
GRANT SELECT ON auth.proved_contact TO meetmark_events;
