-- The tables of the gateway with their indexes and rights. Functions, triggers and views are in the files next to this one.

GRANT USAGE ON SCHEMA gateway TO meetmark_auth, meetmark_worker;

-- The record of every session, which survives the loss of Redis; Redis only repeats it. A session belongs to a user and goes with them.
CREATE TABLE gateway.sessions (
  sid text PRIMARY KEY,
  sess json NOT NULL,
  expire timestamptz NOT NULL,
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE
);
CREATE INDEX sessions_expire_idx ON gateway.sessions (expire);
CREATE INDEX sessions_user_id_idx ON gateway.sessions (user_id);
-- Whether a session is open in a network.
CREATE INDEX sessions_network_idx ON gateway.sessions ((sess->>'network'));
-- The worker removes what has expired, here and below.
GRANT SELECT, INSERT, UPDATE, DELETE ON gateway.sessions TO meetmark_gateway;
GRANT SELECT, DELETE ON gateway.sessions TO meetmark_worker;

-- Answers of requests that carried an Idempotency-Key; status and body are null while the first is at work.
CREATE TABLE gateway.idempotency_keys (
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  key text,
  request_hash text NOT NULL,
  status smallint,
  body json,
  created_at timestamptz NOT NULL DEFAULT now(),
  expire timestamptz NOT NULL,
  PRIMARY KEY (user_id, key),
  CONSTRAINT idempotency_keys_answer_check CHECK ((status IS NULL) = (body IS NULL))
);
CREATE INDEX idempotency_keys_expire_idx ON gateway.idempotency_keys (expire);
GRANT SELECT, INSERT, UPDATE, DELETE ON gateway.idempotency_keys TO meetmark_gateway;
GRANT SELECT, DELETE ON gateway.idempotency_keys TO meetmark_worker;

-- Sign-ins, failed sign-ins, and changes of credentials. No name, email address or network: keyed hashes stand for them. Events without an
-- account share one row per network, kind and hour, which counts them; other rows have no hour and count 1.
CREATE TABLE gateway.security_events (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  account text,
  network text NOT NULL,
  request_id text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  hour timestamptz(3),
  count integer NOT NULL DEFAULT 1,
  CONSTRAINT security_events_kind_check CHECK (char_length(kind) BETWEEN 1 AND 40),
  CONSTRAINT security_events_account_check CHECK (account ~ '^[\w-]{22}$'),
  CONSTRAINT security_events_network_check CHECK (network ~ '^[\w-]{22}$'),
  CONSTRAINT security_events_request_id_check CHECK (char_length(request_id) BETWEEN 1 AND 100),
  CONSTRAINT security_events_hour_check CHECK (hour IS NULL OR account IS NULL),
  CONSTRAINT security_events_count_check CHECK (count >= 1 AND (count = 1 OR hour IS NOT NULL))
);
CREATE INDEX security_events_account_idx ON gateway.security_events (account, at DESC, id DESC);
CREATE INDEX security_events_at_idx ON gateway.security_events (at DESC, id DESC);
-- The worker keeps a share of each kind.
CREATE INDEX security_events_kind_idx ON gateway.security_events (kind, at DESC, id DESC);
CREATE UNIQUE INDEX security_events_hour_idx ON gateway.security_events (network, kind, hour) WHERE hour IS NOT NULL;
GRANT SELECT, INSERT, UPDATE (count) ON gateway.security_events TO meetmark_gateway;
GRANT SELECT (id, at, kind, hour), DELETE ON gateway.security_events TO meetmark_worker;

-- Images of maps, as their provider drew them. The key is a hash of the request, so no row names an event. The worker removes old ones.
CREATE TABLE gateway.maps (
  key bytea PRIMARY KEY,
  picture bytea NOT NULL,
  fetched_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT maps_key_check CHECK (octet_length(key) = 32),
  CONSTRAINT maps_picture_check CHECK (octet_length(picture) BETWEEN 1 AND 358400)
);
CREATE INDEX maps_fetched_at_idx ON gateway.maps (fetched_at);
GRANT SELECT, INSERT (key, picture) ON gateway.maps TO meetmark_gateway;
GRANT SELECT (key, fetched_at), DELETE ON gateway.maps TO meetmark_worker;
