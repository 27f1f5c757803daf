-- Networks with a session of the account, where auth sends codes without waiting for strangers' requests.
CREATE OR REPLACE VIEW gateway.session_network AS
SELECT user_id, (sess->>'epoch')::integer AS epoch, sess->>'network' AS network, expire FROM gateway.sessions;
GRANT SELECT ON gateway.session_network TO meetmark_auth;
