-- Serialises changes of administrators until the transaction ends.
CREATE OR REPLACE FUNCTION auth.lock_administrators() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('auth.administrators', 0))
$$;
