-- Every service checks its callers here, and again in the transaction that needs the right.
CREATE OR REPLACE VIEW auth.administrator AS SELECT id FROM auth.users WHERE is_admin AND closed_at IS NULL;
GRANT SELECT ON auth.administrator TO meetmark_admin, meetmark_auth, meetmark_events, meetmark_gateway;
