-- Where an account is signed in, for auth: codes that are asked for from there do not wait behind those of others.
CREATE OR REPLACE VIEW gateway.session_network AS
SELECT user_id, (sess->>'epoch')::integer AS epoch, sess->>'network' AS network, expire FROM gateway.sessions;
GRANT SELECT ON gateway.session_network TO meetmark_auth;
