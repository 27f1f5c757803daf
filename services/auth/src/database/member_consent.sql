-- What other attendees see of a member, unless the registration says otherwise.
CREATE OR REPLACE VIEW auth.member_consent AS SELECT id, show_me FROM auth.users WHERE closed_at IS NULL;
GRANT SELECT ON auth.member_consent TO meetmark_events;
