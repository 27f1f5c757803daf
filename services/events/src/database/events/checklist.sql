-- For the owners' checklist; an event counts as held once it is over and had a registration.
CREATE OR REPLACE VIEW events.checklist AS
SELECT (SELECT count(*) FROM events.topics)::int AS topics,
  count(*)::int AS published,
  count(*) FILTER (WHERE end_date <= now() AND registration_count > 0)::int AS held
FROM events.events WHERE status = 'published';
GRANT SELECT ON events.checklist TO meetmark_admin;
