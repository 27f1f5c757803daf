-- The mail to an account that is to be removed: a link that verifies its address, for a week. The worker may do this and no more: it
-- cannot make a code that opens any account. `job` is the name of the mail.
CREATE OR REPLACE FUNCTION auth.warn_unverified_account(account_id uuid, flow_id uuid, link bytea, sealed_link text, job text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE auth.unverified_accounts SET warned_at = now() WHERE user_id = account_id AND warned_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO auth.code_flows (id, purpose, user_id, email, link_hash, sealed, mail_at, expires_at, link_expires_at)
  SELECT flow_id, 'verify', u.id, lower(u.email), link, sealed_link, now(), now(), now() + interval '7 days'
  FROM auth.users u WHERE u.id = account_id AND u.email_verified_at IS NULL;
  IF FOUND THEN
    INSERT INTO auth.outbox (id, job, payload)
    VALUES (gen_random_uuid(), job, jsonb_build_object('flowId', flow_id, 'removal', true));
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION auth.warn_unverified_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth.warn_unverified_account TO meetmark_worker;
