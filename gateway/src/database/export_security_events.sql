-- For data exports: the security log of the account, found by the pseudonym that the gateway gave.
CREATE OR REPLACE FUNCTION gateway.export_security_events(export uuid) RETURNS SETOF jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT jsonb_build_object('kind', s.kind, 'at', s.at) FROM gateway.security_events AS s
  WHERE s.account = (SELECT d.account FROM auth.data_exports AS d WHERE d.id = export AND d.user_id = (SELECT auth.exporting(export)))
  ORDER BY s.at, s.id
$$;
REVOKE EXECUTE ON FUNCTION gateway.export_security_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gateway.export_security_events TO meetmark_worker;
