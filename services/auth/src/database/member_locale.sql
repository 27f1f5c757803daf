-- The member's language for screens, emails and the calendar feed; null means the community's.
CREATE OR REPLACE VIEW auth.member_locale AS SELECT id, locale FROM auth.users;
GRANT SELECT ON auth.member_locale TO meetmark_events, meetmark_worker;
