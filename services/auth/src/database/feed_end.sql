-- Calendar feed URLs created before this time are invalid.
CREATE OR REPLACE VIEW auth.feed_end AS SELECT id, feeds_ended_at FROM auth.users;
GRANT SELECT ON auth.feed_end TO meetmark_events;
