-- The language that a member chose for screens, mails and the calendar that the member subscribes to; null: the community's.
CREATE OR REPLACE VIEW auth.member_locale AS SELECT id, locale FROM auth.users;
GRANT SELECT ON auth.member_locale TO meetmark_events, meetmark_worker;
