-- For reading an administrator's right again inside the transaction that needs it; every service asks here whether the caller of an
-- administrator's message is one at this moment. The gateway shows one page until somebody owns the installation.
CREATE OR REPLACE VIEW auth.administrator AS SELECT id FROM auth.users WHERE is_admin;
GRANT SELECT ON auth.administrator TO meetmark_admin, meetmark_auth, meetmark_events, meetmark_gateway;
