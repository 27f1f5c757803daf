-- Held until the transaction ends. Every change of who is an administrator takes it first.
CREATE OR REPLACE FUNCTION auth.lock_administrators() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('auth.administrators', 0))
$$;
