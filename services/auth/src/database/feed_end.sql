-- Calendar feed URLs created before this time are invalid; a closed account has no valid ones.
CREATE OR REPLACE VIEW auth.feed_end AS
SELECT id, CASE WHEN closed_at IS NULL THEN feeds_ended_at ELSE 'infinity' END AS feeds_ended_at FROM auth.users;
GRANT SELECT ON auth.feed_end TO meetmark_events;
