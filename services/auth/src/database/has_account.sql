-- The gateway's log of security events has rows of accounts, and counts attempts at addresses without one. Answers for one address at a
-- time: a view would list them all.
CREATE OR REPLACE FUNCTION auth.has_account(address text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT EXISTS (SELECT FROM auth.users WHERE lower(email) = address)
$$;
REVOKE EXECUTE ON FUNCTION auth.has_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.has_account TO meetmark_gateway;
