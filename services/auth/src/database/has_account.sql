-- For the gateway's security log; a view would let the gateway list all addresses.
CREATE OR REPLACE FUNCTION auth.has_account(address text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT EXISTS (SELECT FROM auth.users WHERE lower(email) = address)
$$;
REVOKE EXECUTE ON FUNCTION auth.has_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.has_account TO meetmark_gateway;
