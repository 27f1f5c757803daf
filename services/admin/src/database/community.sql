CREATE OR REPLACE VIEW admin.community AS
SELECT version, settings FROM admin.community_settings ORDER BY version DESC LIMIT 1;
GRANT SELECT ON admin.community TO meetmark_admin, meetmark_events, meetmark_gateway, meetmark_worker;
