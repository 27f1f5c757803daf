-- The tables of the gateway as 1.0.0 had them, with their indexes and rights. What has changed since stands in the migrations, functions,
-- triggers and views in the files beside this one.

GRANT USAGE ON SCHEMA gateway TO meetmark_worker;

-- The record of every session, which survives the loss of Redis; Redis only repeats it. A session belongs to a user and goes with them.
CREATE TABLE gateway.sessions (
  sid text PRIMARY KEY,
  sess json NOT NULL,
  expire timestamptz NOT NULL,
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE
);
CREATE INDEX sessions_expire_idx ON gateway.sessions (expire);
CREATE INDEX sessions_user_id_idx ON gateway.sessions (user_id);
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

-- Who got in, who did not, and what changed about how. No name, address or network: what stands for them is keyed.
CREATE TABLE gateway.security_events (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  account text,
  network text NOT NULL,
  request_id text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT security_events_kind_check CHECK (char_length(kind) BETWEEN 1 AND 40),
  CONSTRAINT security_events_account_check CHECK (account ~ '^[\w-]{22}$'),
  CONSTRAINT security_events_network_check CHECK (network ~ '^[\w-]{22}$'),
  CONSTRAINT security_events_request_id_check CHECK (char_length(request_id) BETWEEN 1 AND 100)
);
CREATE INDEX security_events_account_idx ON gateway.security_events (account, at DESC, id DESC);
CREATE INDEX security_events_at_idx ON gateway.security_events (at DESC, id DESC);
GRANT SELECT, INSERT ON gateway.security_events TO meetmark_gateway;
GRANT SELECT (id, at), DELETE ON gateway.security_events TO meetmark_worker;
