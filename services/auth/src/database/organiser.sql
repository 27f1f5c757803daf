CREATE OR REPLACE VIEW auth.organiser AS SELECT id FROM auth.users WHERE (is_admin OR is_organiser) AND closed_at IS NULL;
GRANT SELECT ON auth.organiser TO meetmark_admin, meetmark_auth, meetmark_events;
